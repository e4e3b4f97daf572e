/** Writes changes, and compares two states. */

import type { MakeId } from "../platform/clock/index.ts";
import { run, type Tx } from "../platform/database/index.ts";
import type { Json, JsonObject } from "../platform/json/index.ts";
import type { ChangedFields, Scope } from "./scope.ts";

export interface Change {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly action: string;
  readonly fields: ChangedFields;
}

/** Writes an entry. Requires a `Tx`, so that the entry commits together with the change it describes. */
export async function logChange(
  { db, tenantId, actor }: Scope<Tx>,
  makeId: MakeId,
  { subjectType, subjectId, action, fields }: Change,
): Promise<void> {
  await run(db)`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                         actor_kind, actor_id, actor_name, fields, request_id)
    values (${tenantId}, ${makeId()}, clock_timestamp(), ${subjectType}, ${subjectId}, ${action},
            ${actor.kind}, ${actor.id}, ${actor.name}, ${db.json(fields)},
            ${actor.requestId})`;
}

/** Compares lists and objects as JSON texts. Most members are neither. */
const isSame = (old: Json, now: Json): boolean =>
  old === now ||
  (typeof old === "object" && old !== null && JSON.stringify(old) === JSON.stringify(now));

/** Whether a difference is worth logging. */
export type IsLogged = (name: string, old: Json, now: Json) => boolean;

/** The fields that differ between two states. Missing members count as null. */
export function changedFields(
  before: JsonObject,
  after: JsonObject,
  isLogged: IsLogged = () => true,
): ChangedFields {
  const changed: [string, readonly [Json, Json]][] = [];
  const compare = (name: string): void => {
    const [old, now] = [before[name] ?? null, after[name] ?? null];
    if (!isSame(old, now) && isLogged(name, old, now)) changed.push([name, [old, now]]);
  };
  for (const name of Object.keys(before)) compare(name);
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) compare(name);
  return Object.fromEntries(changed);
}
