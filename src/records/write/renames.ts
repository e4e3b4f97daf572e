/**
 * Updates `account_name` and `contact_name` when an account or contact is renamed. A rename is queued in the
 * transaction that changes the name. The background worker then updates the records that show the name, in chunks. This
 * changes their version but not their updated_ts.
 */

import { raw } from "sql-template-tag";
import { SERVICE, type Scope, type TenantId } from "../../audit/index.ts";
import { run, transaction, type Db, type Tx } from "../../platform/database/index.ts";
import type { MakeId } from "../../platform/clock/index.ts";
import { RECORD_TYPES, type RecordName, type RecordType, recordTypes } from "../types/index.ts";
import { withoutStamps } from "../shape/index.ts";
import { updateRecords } from "./update-many.ts";
import { findStored, storedIn } from "./find-record.ts";
import type { Writer } from "./writer.ts";

const CHUNK = 200;

/** A field that shows the name of a referenced record. */
interface Follower {
  readonly type: RecordType;
  readonly field: string;
  readonly reference: string;
}

const followersOf = (name: RecordName): readonly Follower[] =>
  recordTypes.flatMap((type) =>
    Object.entries(type.derived).flatMap(([field, derived]) => {
      if (derived.kind !== "name_of") return [];
      const { reference } = derived;
      const referring = type.fields[reference];
      return referring?.kind === "reference" && referring.to === name
        ? [{ type, field, reference }]
        : [];
    }),
  );

/** Whether other records show the name of a record of this type. */
export const isFollowed = ({ name }: RecordType): boolean => followersOf(name).length > 0;

/** Queues a rename. Requires a `Tx`, so that the rename is queued if and only if the new name is committed. */
export async function queueRename(
  { scope: { db, tenantId }, deps, type }: Writer<Tx>,
  recordId: string,
): Promise<void> {
  await run(db)`
    insert into renames (id, tenant_id, referenced_type, record_id)
    values (${deps.makeId()}, ${tenantId}, ${type.name}, ${recordId})`;
}

/** Applies the next rename in the queue. Returns false if the queue is empty. */
export async function followOneRename(db: Db, makeId: MakeId): Promise<boolean> {
  const [queued] = await run(db)`select id, tenant_id, referenced_type, record_id from renames
                             where tenant_id not in (select id from tenants where is_suspended)
                             order by id limit 1`;
  if (queued === undefined) return false;
  const tenantId = queued["tenant_id"] as TenantId;
  const recordId = queued["record_id"] as string;
  for (const follower of followersOf(queued["referenced_type"] as RecordName)) {
    while (await followChunk({ db, tenantId, actor: SERVICE }, makeId, follower, recordId));
  }
  await run(
    db,
  )`delete from renames where tenant_id = ${tenantId} and id = ${queued["id"] as string}`;
  return true;
}

/** Updates a chunk of the records that still show the old name. Returns whether there may be more. */
async function followChunk(
  scope: Scope<Db>,
  makeId: MakeId,
  { type, field, reference }: Follower,
  recordId: string,
): Promise<boolean> {
  const { db, tenantId } = scope;
  const referring = type.fields[reference];
  if (referring?.kind !== "reference") return false;
  return transaction(db, async (tx) => {
    const within = { ...scope, db: tx };
    const named = await findStored(within, RECORD_TYPES[referring.to], recordId);
    const name = (named?.body["name"] as string | undefined) ?? null;
    const behind = await run(tx)`select body, internal from ${raw(type.table)}
           where tenant_id = ${tenantId} and ${raw(reference)} = ${recordId}
             and body->>${field} is distinct from ${name}::text
           limit ${CHUNK} for update`;
    const changes = behind.map(storedIn).map((stored) => ({
      stored,
      next: {
        id: String(stored.body["_id"]),
        body: { ...withoutStamps(stored.body), [field]: name },
        internal: stored.internal,
        fields: { [field]: [stored.body[field] ?? null, name] as const },
      },
    }));
    const storing = { scope: within, deps: { makeId }, type };
    await updateRecords(storing, changes, { action: "updated", isTouched: false });
    return behind.length === CHUNK;
  });
}
