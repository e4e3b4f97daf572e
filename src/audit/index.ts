/**
 * Who changed what, and when (D9.7). One table serves the history of a record and the audit of a
 * tenant; entries are written by the statement or in the transaction of the change itself.
 */

import { isTx, type Db, type Tx } from "../platform/db.ts";
import type { Json, JsonObject } from "../platform/json.ts";
import type { MakeId } from "../platform/ids.ts";
import type { Quota } from "./quota.ts";

export type TenantId = string & { readonly __tenant: never };

/** Whoever acts: a token, a person who signed in, a partner, or the service itself. */
export interface Actor {
  readonly kind: "token" | "person" | "partner" | "service";
  readonly id: string;
  readonly name: string;
  readonly requestId: string | null;
}

/** Whose data we are in, and who acts. Every function that touches tenant data takes one first. */
export interface Scope<D extends Db | Tx = Db | Tx> {
  readonly db: D;
  readonly tenantId: TenantId;
  readonly actor: Actor;
  /** Limits what is stored for a caller. Undefined without a quota, and for the service's own work. */
  readonly quota?: Quota | undefined;
}

/** Whether a scope is inside a transaction already. */
export const isInTx = (scope: Scope): scope is Scope<Tx> => isTx(scope.db);

/** What the service does by itself: expiry, following names, first start. */
export const SERVICE: Actor = { kind: "service", id: "service", name: "service", requestId: null };

/** `{"<field>": [old, new]}` of the fields that changed; secrets come masked. */
export type ChangedFields = Readonly<Record<string, readonly [old: Json, now: Json]>>;

export interface Change {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly fields: ChangedFields;
}

/** Writes an entry. Takes a `Tx`, so that it commits or vanishes with the change it tells of. */
export async function logChange(
  { db, tenantId, actor }: Scope<Tx>,
  makeId: MakeId,
  { subjectType, subjectId, action, fields }: Change,
): Promise<void> {
  await db`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                         actor_kind, actor_id, actor_name, fields, request_id)
    values (${tenantId}, ${makeId()}, clock_timestamp(), ${subjectType}, ${subjectId}, ${action},
            ${actor.kind}, ${actor.id}, ${actor.name}, ${db.json(fields)},
            ${actor.requestId})`;
}

/** Compared as texts only where one is a list or an object: most members are neither. */
const isSame = (old: Json, now: Json): boolean =>
  old === now ||
  (typeof old === "object" && old !== null && JSON.stringify(old) === JSON.stringify(now));

/** Whether a difference is worth telling. */
export type IsTold = (name: string, old: Json, now: Json) => boolean;

/** What differs between two states; a member that is absent counts as null. */
export function changedFields(
  before: JsonObject,
  after: JsonObject,
  isTold: IsTold = () => true,
): ChangedFields {
  const changed: [string, readonly [Json, Json]][] = [];
  const compare = (name: string): void => {
    const [old, now] = [before[name] ?? null, after[name] ?? null];
    if (!isSame(old, now) && isTold(name, old, now)) changed.push([name, [old, now]]);
  };
  for (const name of Object.keys(before)) compare(name);
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) compare(name);
  return Object.fromEntries(changed);
}

export { ACTOR_SCHEMA, CHANGE_SCHEMA, changesSince, readChanges, type PastChange } from "./read.ts";
export { growing, ROW_bytes, withoutLimit, type Growth, type Quota, type Room } from "./quota.ts";
export { auditOperations } from "./routes.ts";
