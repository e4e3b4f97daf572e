/** A pushed lead as it is read: one query for partners and tenants, and the shapes they are told. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Actor, Scope } from "../../audit/index.ts";
import { isoSeconds } from "../../platform/clock/index.ts";
import { columns, run } from "../../platform/database/index.ts";
import { namesOf, pick } from "../../platform/json/index.ts";
import {
  fieldsParameter,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
} from "../../platform/validation/index.ts";
import { FIRST, STATUSES, type PushedStatus } from "./states.ts";
import { isOver, PUSHED_LEAD } from "./move-lead.ts";

const TEXT = { type: "string" } as const;
const MAYBE_TEXT = nullable(TEXT);
const MOMENT = { type: "string", format: "date-time" } as const;
const STATUS = { type: "string", enum: STATUSES } as const;

/** What is read of a pushed lead and shown to both sides, by the names of its columns. */
const SHOWN = {
  id: TEXT,
  partner_id: TEXT,
  partner_name: TEXT,
  name: TEXT,
  email: MAYBE_TEXT,
  phone: MAYBE_TEXT,
  source: TEXT,
  /** The present state, in which the clock has its say. */
  status: STATUS,
  submitted_ts: { type: "integer", description: "Epoch seconds." },
  rejection_reason: MAYBE_TEXT,
  match_preferences: { type: ["object", "null"], additionalProperties: true },
  comments: MAYBE_TEXT,
  description: MAYBE_TEXT,
  imported_lead_id: MAYBE_TEXT,
} as const satisfies Schemas;

/** What is read beside. A partner never sees whether its lead is a possible duplicate. */
const READ = {
  ...SHOWN,
  possible_duplicate: { type: "boolean" },
  email_key: MAYBE_TEXT,
  phone_key: MAYBE_TEXT,
  expiration_ts: { type: ["number", "null"], description: "Epoch seconds." },
} as const satisfies Schemas;

/** A step of a lead's way, and who moved it. */
const STEP = {
  from: nullable(STATUS),
  to: STATUS,
  at: MOMENT,
  by: { type: "string", enum: ["partner", "tenant", "auto_accept", "clock"] },
} as const satisfies Schemas;

const ACTOR = { kind: TEXT, id: TEXT, name: TEXT } as const satisfies Schemas;

type Step = Members<typeof STEP> & { readonly actor: Members<typeof ACTOR> };

export interface PushedLead extends Members<typeof READ> {
  readonly history: readonly Step[];
}

/** The actor of an import that a tenant's endpoint has taken. */
export const IMPORT_WEBHOOK = {
  kind: "service",
  id: "import_webhook",
  name: "import webhook",
} as const;

/** The actor of what happens by itself. */
export const AUTO_ACCEPT = {
  kind: "service",
  id: "auto_accept",
  name: "auto accept",
} as const;

/** The state as the clock sees it: a pending lead whose time has passed is expired. */
const statusAt = (now_s: number): Sql =>
  sql`case when p.status = 'pending' and ${isOver(now_s)} then 'expired' else p.status end`;

/** Pushed leads that have a state at `now_s`. */
export function hasStatus(status: PushedStatus, now_s: number): Sql {
  switch (status) {
    case "pending":
      return sql`p.status = 'pending' and not ${isOver(now_s)}`;
    case "expired":
      return sql`(p.status = 'expired' or (p.status = 'pending' and ${isOver(now_s)}))`;
    default:
      return sql`p.status = ${status}`;
  }
}

/** Over `p`, the pushed leads, and `n`, their partners. */
export interface PushedSelection {
  readonly where: readonly Sql[];
  /** Newest first where it is not given. */
  readonly order?: Sql;
  readonly limit: number;
  readonly offset?: number;
}

const NEWEST = raw("p.id desc");

/** Reads pushed leads with every step of their way, which is looked up for those of the page alone. */
export async function readPushed(
  { db, tenantId }: Scope,
  now_s: number,
  { where, order = NEWEST, limit, offset = 0 }: PushedSelection,
): Promise<readonly PushedLead[]> {
  const rows = await run<StoredLead[]>(db)`
      select ${columns(READ_NAMES.map((name) => `p.${name}`))}, ${statusAt(now_s)} as status, h.steps
        from (
             select p.*, n.name as partner_name
               from pushed_leads p
               join partners n on n.tenant_id = p.tenant_id and n.id = p.partner_id
              where p.tenant_id = ${tenantId} and ${join([raw("true"), ...where], " and ")}
              order by ${order}
              limit ${limit} offset ${offset}) p
        cross join lateral (
             select json_agg(json_build_object(
                      'from', c.fields->'status'->0, 'to', c.fields->'status'->1, 'at', c.at,
                      'kind', c.actor_kind, 'id', c.actor_id, 'name', c.actor_name)
                      order by c.at, c.id) as steps
               from changes c
              where c.tenant_id = ${tenantId} and c.subject_type = ${PUSHED_LEAD}
                and c.subject_id = p.id and c.fields->'status' is not null) h
       order by ${order}`;
  return rows.map(({ steps, ...lead }) => ({ ...lead, history: historyOf(lead, steps ?? []) }));
}

/** All but the state as it was written down last. */
const READ_NAMES = namesOf(READ).filter((name) => name !== "status");

interface StoredLead extends Members<typeof READ> {
  readonly steps: readonly StoredStep[] | null;
}

type StoredStep = Omit<Step, "by" | "actor"> & Step["actor"];

const CLOCK = { kind: "service", id: "service", name: "service" };

/** An expiry happens when the time passes, whether or not it is written down yet. */
function historyOf(lead: Members<typeof READ>, stored: readonly StoredStep[]): readonly Step[] {
  const accepted = stored.some(({ id }) => id === AUTO_ACCEPT.id);
  const steps = stored
    .filter(({ to }) => to !== "expired")
    .map(({ from, to, at, ...actor }): Step => ({
      from,
      to,
      at: new Date(at).toISOString(),
      // Auto accept answers for both of its steps.
      by: accepted && from === null ? "auto_accept" : byOf(actor),
      actor,
    }));
  if (lead.status !== "expired") return steps;
  const at = new Date((lead.expiration_ts ?? 0) * 1000).toISOString();
  return [...steps, { from: "pending", to: "expired", at, by: "clock", actor: CLOCK }];
}

function byOf({ kind, id }: Step["actor"]): Step["by"] {
  if (kind === "partner") return "partner";
  if (kind === "token" || kind === "person" || id === IMPORT_WEBHOOK.id) return "tenant";
  return id === AUTO_ACCEPT.id ? "auto_accept" : "clock";
}

/** What is known of a lead when it is pushed. */
export type NewPush = Omit<
  Members<typeof READ>,
  "partner_name" | "rejection_reason" | "imported_lead_id"
>;

/** A lead that was pushed this moment, as `readPushed` would read it. */
export function freshlyPushed(
  partner: { readonly name: string },
  push: NewPush,
  pushed?: { readonly actor: Actor; readonly at: Date },
): PushedLead {
  const undecided = { rejection_reason: null, imported_lead_id: null };
  const lead = { ...push, partner_name: partner.name, ...undecided };
  if (pushed === undefined) return { ...lead, history: [] };
  const { kind, id, name } = pushed.actor;
  const step = { from: null, to: FIRST, at: pushed.at.toISOString(), kind, id, name };
  return { ...lead, history: historyOf(lead, [step]) };
}

/** The one of that id; undefined where the tenant has none. */
export async function findPushed(
  scope: Scope,
  now_s: number,
  id: string,
): Promise<PushedLead | undefined> {
  const [lead] = await readPushed(scope, now_s, { where: [sql`p.id = ${id}`], limit: 1 });
  return lead;
}

const shown = (lead: PushedLead) => ({
  ...pick(lead, namesOf(SHOWN)),
  submitted_date: isoSeconds(lead.submitted_ts),
  expiration_date: lead.expiration_ts,
});

/** The names of pushed leads, by their ids. */
export async function pushedNames(
  { db, tenantId }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await run<{ id: string; name: string | null }[]>(db)`
    select id, name from pushed_leads where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** As its partner is told of it: never whether it is a possible duplicate, nor who decided. */
export const shownToPartner = (lead: PushedLead) => ({
  ...shown(lead),
  history: lead.history.map((step) => pick(step, namesOf(STEP))),
});

/** As the tenant is told of it, with who moved it. */
export const shownToTenant = (lead: PushedLead) => ({
  ...shown(lead),
  possible_duplicate: lead.possible_duplicate,
  history: lead.history,
});

const COMMON = { ...SHOWN, submitted_date: MOMENT, expiration_date: READ.expiration_ts } as const;
const { properties: members, ...step } = objectSchema(STEP);

const FOR_PARTNER: Schemas = {
  ...COMMON,
  history: { type: "array", items: objectSchema(STEP) },
};

const FOR_TENANT: Schemas = {
  ...COMMON,
  possible_duplicate: READ.possible_duplicate,
  delivery: { anyOf: [{ $ref: "Delivery#" }, { type: "null" }] },
  history: {
    type: "array",
    items: { ...step, properties: { ...members, actor: { type: "object", properties: ACTOR } } },
  },
};

/** The parameters that choose members of pushed leads: for partners, and for the tenant. */
export const PARTNER_FIELDS = fieldsParameter(Object.keys(FOR_PARTNER));
export const TENANT_FIELDS = fieldsParameter(Object.keys(FOR_TENANT));

/** What partners and tenants receive, by the names in openapi.json. */
export const PUSHED_SCHEMAS: Schemas = {
  PushedLead: objectSchema(FOR_PARTNER),
  ReviewedLead: { ...objectSchema(FOR_TENANT), additionalProperties: true },
};
