/**
 * `account_name` and `contact_name` follow a renamed account or contact. A rename is queued in its
 * own transaction. The background worker writes the new name into the records that show it, in
 * chunks. This changes their version, but not their updated_ts.
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

/** The fields that show the name of a record of some type. */
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

/** Queues a rename. Takes a `Tx`, so that it is queued if and only if the new name commits. */
export async function queueRename(
  { scope: { db, tenantId }, deps, type }: Writer<Tx>,
  recordId: string,
): Promise<void> {
  await run(db)`
    insert into renames (id, tenant_id, referenced_type, record_id)
    values (${deps.makeId()}, ${tenantId}, ${type.name}, ${recordId})`;
}

/** Takes a rename from the queue and carries it out; returns false if there is none. */
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

/** Updates some of the records that still show the old name; returns whether there may be more. */
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
