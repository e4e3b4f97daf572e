/** A pushed lead as it is read: one query for partners and tenants, and the shapes they are told (D8.5). */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Actor, Scope } from "../../audit/index.ts";
import { isoSeconds } from "../../platform/clock/index.ts";
import { run } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import type { PersonKeys } from "../../records/index.ts";
import { FIRST, STATUSES, type PushedStatus } from "./states.ts";
import { isOver, PUSHED_LEAD } from "./move-lead.ts";

/** Who moved a pushed lead, as partners are told (D8.5), and the push itself. */
type By = "partner" | "tenant" | "auto_accept" | "clock";

interface Step {
  readonly from: PushedStatus | null;
  readonly to: PushedStatus;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: By;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
}

/** A pushed lead with its present state, in which the clock has its say (D8.6). */
export interface PushedLead {
  readonly id: string;
  readonly partner_id: string;
  readonly partner_name: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly email_key: string | null;
  readonly phone_key: string | null;
  readonly source: string;
  readonly status: PushedStatus;
  readonly possible_duplicate: boolean;
  readonly match_preferences: JsonObject | null;
  readonly comments: string | null;
  readonly description: string | null;
  readonly submitted_ts: number;
  readonly expiration_ts: number | null;
  readonly rejection_reason: string | null;
  readonly imported_lead_id: string | null;
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

/** The state as the clock sees it: a pending lead whose time has passed is expired (D8.6). */
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
  const rows = await run(db)`
      select p.id, p.partner_id, p.partner_name, p.name, p.email, p.phone, p.email_key,
             p.phone_key, p.source, ${statusAt(now_s)} as status, p.possible_duplicate,
             p.match_preferences, p.comments, p.description, p.submitted_ts, p.expiration_ts,
             p.rejection_reason, p.imported_lead_id, h.steps
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
  return rows.map(({ steps, ...row }) => {
    const lead = row as unknown as PushedLead;
    return { ...lead, history: historyOf(lead, (steps ?? []) as readonly StoredStep[]) };
  });
}

interface StoredStep {
  readonly from: PushedStatus | null;
  readonly to: PushedStatus;
  readonly at: string;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

const CLOCK = { kind: "service", id: "service", name: "service" };

/** An expiry happens when the time passes, whether or not it is written down yet (D8.6). */
function historyOf(lead: PushedLead, stored: readonly StoredStep[]): readonly Step[] {
  const accepted = stored.some(({ id }) => id === AUTO_ACCEPT.id);
  const steps = stored
    .filter(({ to }) => to !== "expired")
    .map(({ from, to, at, ...actor }): Step => ({
      from,
      to,
      at: new Date(at).toISOString(),
      // Auto accept answers for both of its steps (D8.7).
      by: accepted && from === null ? "auto_accept" : byOf(actor),
      actor,
    }));
  if (lead.status !== "expired") return steps;
  const at = new Date((lead.expiration_ts ?? 0) * 1000).toISOString();
  return [...steps, { from: "pending", to: "expired", at, by: "clock", actor: CLOCK }];
}

function byOf({ kind, id }: { readonly kind: string; readonly id: string }): By {
  if (kind === "partner") return "partner";
  if (kind === "token" || kind === "person" || id === IMPORT_WEBHOOK.id) return "tenant";
  return id === AUTO_ACCEPT.id ? "auto_accept" : "clock";
}

/** What was pushed just now, and under which keys. */
interface NewPush extends Omit<
  PushedLead,
  "partner_name" | "email_key" | "phone_key" | "rejection_reason" | "imported_lead_id" | "history"
> {
  readonly keys: PersonKeys;
}

/** A lead that was pushed this moment, as `readPushed` would read it. */
export function freshlyPushed(
  partner: { readonly name: string },
  { keys, ...push }: NewPush,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): PushedLead {
  const { kind, id, name } = actor;
  const lead: PushedLead = {
    id: push.id,
    partner_id: push.partner_id,
    partner_name: partner.name,
    name: push.name,
    email: push.email,
    phone: push.phone,
    email_key: keys.email,
    phone_key: keys.phone,
    source: push.source,
    status: push.status,
    possible_duplicate: push.possible_duplicate,
    match_preferences: push.match_preferences,
    comments: push.comments,
    description: push.description,
    submitted_ts: push.submitted_ts,
    expiration_ts: push.expiration_ts,
    rejection_reason: null,
    imported_lead_id: null,
    history: [],
  };
  const step = { from: null, to: FIRST, at: at.toISOString(), kind, id, name };
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

/** As its partner is told of it: never whether it is a possible duplicate, nor who decided (D8.4, D8.5). */
export function toldToPartner(lead: PushedLead): JsonObject {
  const { possible_duplicate: _, history, ...rest } = toldToTenant(lead);
  return {
    ...rest,
    history: (history as unknown as readonly Step[]).map(({ from, to, at, by }) => ({
      from,
      to,
      at,
      by,
    })),
  };
}

/** As the tenant is told of it, with who moved it. */
export function toldToTenant(lead: PushedLead): JsonObject {
  const { email_key: _, phone_key: __, expiration_ts, history, ...rest } = lead;
  return {
    ...rest,
    submitted_date: isoSeconds(lead.submitted_ts),
    expiration_date: expiration_ts,
    history: history as unknown as readonly JsonObject[],
  };
}

const NULLABLE_TEXT: Schema = { type: ["string", "null"] };

const STEP = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties: {
    from: { type: ["string", "null"], enum: [...STATUSES, null] },
    to: { type: "string", enum: [...STATUSES] },
    at: { type: "string", format: "date-time" },
    by: { type: "string", enum: ["partner", "tenant", "auto_accept", "clock"] },
    ...members,
  },
  required: ["from", "to", "at", "by"],
});

const COMMON: Readonly<Record<string, Schema>> = {
  id: { type: "string" },
  partner_id: { type: "string" },
  partner_name: { type: "string" },
  name: { type: "string" },
  email: NULLABLE_TEXT,
  phone: NULLABLE_TEXT,
  source: { type: "string" },
  status: { type: "string", enum: [...STATUSES] },
  submitted_ts: { type: "integer", description: "Epoch seconds." },
  submitted_date: { type: "string", format: "date-time" },
  rejection_reason: NULLABLE_TEXT,
  match_preferences: { type: ["object", "null"], additionalProperties: true },
  comments: NULLABLE_TEXT,
  description: NULLABLE_TEXT,
  expiration_date: { type: ["number", "null"], description: "Epoch seconds." },
  imported_lead_id: NULLABLE_TEXT,
};

const shape = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** What partners and tenants are answered, by the names in openapi.json. */
export const PUSHED_SCHEMAS: Readonly<Record<string, Schema>> = {
  PushedLead: shape({ ...COMMON, history: { type: "array", items: STEP({}) } }),
  ReviewedLead: {
    ...shape({
      ...COMMON,
      possible_duplicate: { type: "boolean" },
      delivery: { anyOf: [{ $ref: "Delivery#" }, { type: "null" }] },
      history: {
        type: "array",
        items: STEP({
          actor: {
            type: "object",
            properties: {
              kind: { type: "string" },
              id: { type: "string" },
              name: { type: "string" },
            },
          },
        }),
      },
    }),
    additionalProperties: true,
  },
};
