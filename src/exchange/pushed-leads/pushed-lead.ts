/** Reads pushed leads, with the same query for partners and tenants but a separate schema for each. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Actor, ACTOR_SCHEMA, type Scope } from "../../audit/index.ts";
import { isoSeconds } from "../../platform/clock/index.ts";
import { columns, run } from "../../platform/database/index.ts";
import { namesOf, pick } from "../../platform/json/index.ts";
import { fieldsParameter } from "../../platform/validation/index.ts";
import {
  boolean,
  described,
  integer,
  type Members,
  nullable,
  number,
  objectSchema,
  type Schemas,
  string,
} from "../../platform/schemas/index.ts";
import { FIRST, STATUSES, type PushedStatus } from "./states.ts";
import { PUSHED_LEAD } from "../../events/index.ts";
import { hasExpired } from "./move-lead.ts";

const TEXT = { type: "string" } as const;
const MAYBE_TEXT = nullable(TEXT);
const MOMENT = { type: "string", format: "date-time" } as const;
const STATUS = { type: "string", enum: STATUSES } as const;

/** Members that both partners and tenants receive, named after their columns. */
const SHOWN = {
  id: string("The id."),
  partner_id: string("The id of the partner."),
  partner_name: string("The name of the partner."),
  name: string("The name."),
  email: nullable(string("The email.")),
  phone: nullable(string("The phone number.")),
  source: string("The source of the lead."),
  /** The current state, which takes the expiration date into account. */
  status: described(STATUS, "The status."),
  submitted_ts: integer("When the lead was pushed, in epoch seconds."),
  rejection_reason: nullable(string("Why the lead was rejected; null if it was not.")),
  match_preferences: {
    type: ["object", "null"],
    additionalProperties: true,
    description: "What the person is looking for.",
  },
  comments: nullable(string("Notes.")),
  description: nullable(string("What the person needs.")),
  imported_lead_id: nullable(
    string("The id of the lead that the import created; null if there is none."),
  ),
} as const satisfies Schemas;

/** Additional members to read. A partner cannot see whether its lead is a possible duplicate. */
const READ = {
  ...SHOWN,
  possible_duplicate: boolean(
    "Whether the email or phone number was already known when the lead was pushed.",
  ),
  email_key: MAYBE_TEXT,
  phone_key: MAYBE_TEXT,
  expiration_ts: nullable(
    number(
      "When the lead expires if it is still pending, in epoch seconds; null if it does not expire.",
    ),
  ),
} as const satisfies Schemas;

/** A step in a lead's history, with the kind of its actor. */
const STEP = {
  from: described(nullable(STATUS), "The previous status; null for the push itself."),
  to: described(STATUS, "The new status."),
  at: described(MOMENT, "When the status changed."),
  by: string("The kind of actor that changed the status.", {
    enum: ["partner", "tenant", "auto_accept", "clock"],
  }),
} as const satisfies Schemas;

const { kind, id, name } = ACTOR_SCHEMA.properties;
const ACTOR = { kind: string(kind.description), id, name } as const satisfies Schemas;

type Step = Members<typeof STEP> & { readonly actor: Members<typeof ACTOR> };

export interface PushedLead extends Members<typeof READ> {
  readonly history: readonly Step[];
}

/** The actor recorded for imports through the import webhook. */
export const IMPORT_WEBHOOK = {
  kind: "service",
  id: "import_webhook",
  name: "import webhook",
} as const;

/** The actor recorded for automatic acceptances. */
export const AUTO_ACCEPT = {
  kind: "service",
  id: "auto_accept",
  name: "auto accept",
} as const;

/**
 * Returns an SQL expression for the state at `now_s`. Pending leads whose expiration date has passed count as expired.
 */
const statusAt = (now_s: number): Sql =>
  sql`case when p.status = 'pending' and ${hasExpired(now_s)} then 'expired' else p.status end`;

/** Returns the condition that a pushed lead is in this state at `now_s`. */
export function hasStatus(status: PushedStatus, now_s: number): Sql {
  switch (status) {
    case "pending":
      return sql`p.status = 'pending' and not ${hasExpired(now_s)}`;
    case "expired":
      return sql`(p.status = 'expired' or (p.status = 'pending' and ${hasExpired(now_s)}))`;
    default:
      return sql`p.status = ${status}`;
  }
}

/** Which pushed leads to read. In its SQL, `p` is the table of pushed leads and `n` the table of partners. */
export interface PushedSelection {
  readonly where: readonly Sql[];
  /** Newest first by default. */
  readonly order?: Sql;
  readonly limit: number;
  readonly offset?: number;
}

const NEWEST = raw("p.id desc");

/** Erased pushed leads are counted but never shown. */
export const NOT_ERASED = raw("p.erased_ts is null");

/** Reads pushed leads with their full history. The history is read only for the leads on the page. */
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
              where p.tenant_id = ${tenantId} and ${join([NOT_ERASED, ...where], " and ")}
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

/** All columns except the stored state, which `statusAt` replaces. */
const READ_NAMES = namesOf(READ).filter((name) => name !== "status");

interface StoredLead extends Members<typeof READ> {
  readonly steps: readonly StoredStep[] | null;
}

type StoredStep = Omit<Step, "by" | "actor"> & Step["actor"];

const CLOCK = { kind: "service", id: "service", name: "service" };

/**
 * Returns a lead's history. The time of the expiry step is the expiration date, regardless of when the step was stored.
 */
function historyOf(lead: Members<typeof READ>, stored: readonly StoredStep[]): readonly Step[] {
  const accepted = stored.some(({ id }) => id === AUTO_ACCEPT.id);
  const steps = stored
    .filter(({ to }) => to !== "expired")
    .map(({ from, to, at, ...actor }): Step => ({
      from,
      to,
      at: new Date(at).toISOString(),
      // With auto accept, both the push and the acceptance are shown as done by auto accept.
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

/** The properties of a lead at the time it is pushed. */
export type NewPush = Omit<
  Members<typeof READ>,
  "partner_name" | "rejection_reason" | "imported_lead_id"
>;

/** Returns a newly pushed lead as `readPushed` would. */
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

/** Returns the pushed lead with this id, or undefined if the tenant has none. */
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

/** Returns pushed leads' names by id. */
export async function pushedNames(
  { db, tenantId }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await run<{ id: string; name: string | null }[]>(db)`
    select id, name from pushed_leads p
     where tenant_id = ${tenantId} and id = any(${ids}::text[]) and ${NOT_ERASED}`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Returns a pushed lead for responses to its partner, without possible_duplicate or the names of the tenant's
 * reviewers.
 */
export const shownToPartner = (lead: PushedLead) => ({
  ...shown(lead),
  history: lead.history.map((step) => pick(step, namesOf(STEP))),
});

/** Returns a pushed lead for responses to the tenant, with the actor of each step. */
export const shownToTenant = (lead: PushedLead) => ({
  ...shown(lead),
  possible_duplicate: lead.possible_duplicate,
  history: lead.history,
});

const COMMON = { ...SHOWN, submitted_date: MOMENT, expiration_date: READ.expiration_ts } as const;
const { properties: members, ...step } = objectSchema(STEP);
const CHANGED_BY = described({ type: "object", properties: ACTOR }, "Who changed the status.");
const HISTORY = "All status changes, oldest first.";

const FOR_PARTNER: Schemas = {
  ...COMMON,
  history: { type: "array", items: objectSchema(STEP), description: HISTORY },
};

const FOR_TENANT: Schemas = {
  ...COMMON,
  possible_duplicate: READ.possible_duplicate,
  delivery: {
    anyOf: [{ $ref: "Delivery#" }, { type: "null" }],
    description: "The delivery to the import webhook; null if there is none.",
  },
  history: {
    type: "array",
    items: { ...step, properties: { ...members, actor: CHANGED_BY } },
    description: HISTORY,
  },
};

/** The `fields` parameters of pushed leads for partners and for the tenant. */
export const PARTNER_FIELDS = fieldsParameter(Object.keys(FOR_PARTNER));
export const TENANT_FIELDS = fieldsParameter(Object.keys(FOR_TENANT));

/** The response schemas for partners and tenants, by name in openapi.json. */
export const PUSHED_SCHEMAS: Schemas = {
  PushedLead: objectSchema(FOR_PARTNER),
  ReviewedLead: {
    type: "object",
    required: Object.keys(FOR_TENANT),
    additionalProperties: true,
    properties: FOR_TENANT,
  },
};
