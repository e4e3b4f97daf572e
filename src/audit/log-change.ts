/** Writes entries to the change log, and compares two states. */

import sql, { raw, type RawValue, type Sql } from "sql-template-tag";
import type { MakeId } from "../platform/ids/index.ts";
import { run, type Tx } from "../platform/database/index.ts";
import type { Json, JsonObject } from "../platform/json/index.ts";
import type { Actor, ChangedFields, Scope } from "./scope.ts";

export interface Change {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly fields: ChangedFields;
}

/** Changes that restoring a backup must not undo. They are recorded in the erasure log (docs/privacy.md). */
export type Revocation =
  | "token_revoked"
  | "user_suspended"
  | "user_activated"
  | "partner_suspended"
  | "partner_activated"
  | "code_reissued"
  | "tenant_suspended"
  | "tenant_resumed"
  | "tenant_deleted"
  | "tenant_restored";

function revocationIn({ subjectType, action, fields }: Change): Revocation | undefined {
  if (subjectType === "access_token") return action === "deleted" ? "token_revoked" : undefined;
  if (subjectType === "person" && fields["suspended"] !== undefined) {
    return fields["suspended"][1] === true ? "user_suspended" : "user_activated";
  }
  if (subjectType === "tenant") {
    const { suspended_ts: suspended, delete_after_ts: deleted } = fields;
    if (suspended !== undefined) return suspended[1] ? "tenant_suspended" : "tenant_resumed";
    return deleted && (deleted[1] ? "tenant_deleted" : "tenant_restored");
  }
  if (subjectType !== "partner") return undefined;
  if (action === "code_reissued") return "code_reissued";
  if (action === "created" || fields["status"] === undefined) return undefined;
  return fields["status"][1] === "suspended" ? "partner_suspended" : "partner_activated";
}

/** What the entries that a statement adds have in common. Each value can be a function of the statement's input. */
export interface ChangesOf {
  readonly tenantId: RawValue;
  readonly actor: Readonly<Record<keyof Actor, RawValue>>;
  readonly subjectType: RawValue;
  readonly action: RawValue;
}

/**
 * Returns the statement that adds entries to the change log, usually as part of the statement that makes the change.
 * `rows` is a query that returns an entry's `change_id`, `id` (of its subject) and `fields`, and `version` is a record's
 * version after the change. Everything in the change log is written by this statement.
 */
export const insertChanges = (
  { tenantId, actor, subjectType, action }: ChangesOf,
  rows: Sql,
  version: Sql = raw("null"),
): Sql => sql`
  insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                       actor_kind, actor_id, actor_name, fields, request_id)
  select ${tenantId}::uuid, c.change_id, clock_timestamp(), ${subjectType}, c.id, ${action}, ${version},
         ${actor.kind}, ${actor.id}, ${actor.name}, c.fields, ${actor.requestId}
    from (${rows}) c`;

/** Writes an entry. Requires a `Tx`, so that the entry commits together with the change it describes. */
export async function logChange(
  { db, tenantId, actor }: Scope<Tx>,
  makeId: MakeId,
  change: Change,
): Promise<void> {
  const { subjectType, subjectId, action, fields } = change;
  const revocation = revocationIn(change);
  if (revocation !== undefined) {
    await run(db)`
      insert into unlogged_revocations (tenant_id, kind, subject_id, at)
      values (${tenantId}, ${revocation}, ${subjectId}, clock_timestamp())`;
  }
  const row = sql`select ${makeId()} as change_id, ${subjectId} as id,
                         ${JSON.stringify(fields)}::text::json as fields`;
  await run(db, insertChanges({ tenantId, actor, subjectType, action }, row));
}

/** Compares two values. Lists and objects are rare, so they are compared as JSON strings. */
const isSame = (old: Json, now: Json): boolean =>
  old === now ||
  (typeof old === "object" && old !== null && JSON.stringify(old) === JSON.stringify(now));

/** Returns whether a difference between two values is logged. */
export type IsLogged = (name: string, old: Json, now: Json) => boolean;

/** Returns the fields that differ between two states. A missing member counts as null. */
export function changedFields(
  before: JsonObject,
  after: JsonObject,
  isLogged: IsLogged = () => true,
): ChangedFields {
  const changed: [string, readonly [Json, Json]][] = [];
  const compare = (name: string): void => {
    const old = before[name] ?? null;
    const now = after[name] ?? null;
    if (!isSame(old, now) && isLogged(name, old, now)) changed.push([name, [old, now]]);
  };
  for (const name of Object.keys(before)) compare(name);
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) compare(name);
  return Object.fromEntries(changed);
}
