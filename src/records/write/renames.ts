/**
 * Updates `account_name` and `contact_name` when an account or contact is renamed. A rename is queued in the
 * transaction that changes the name. The background worker then updates the records that show the name, in steps. This
 * changes their version but not their updated_ts. Records that are created after a rename have the new name, so each
 * rename walks through the records only once.
 */

import { raw } from "sql-template-tag";
import { type Scope, SERVICE, type TenantId } from "../../audit/index.ts";
import { run, transaction, type Db, type Tx } from "../../platform/database/index.ts";
import {
  type RecordName,
  type RecordType,
  type RecordTypes,
  typeOf,
  typesOf,
} from "../types/index.ts";
import { withoutStamps } from "../schemas/index.ts";
import {
  store,
  GROUP_RECORDS,
  inGroups,
  readStored,
  recordNames,
  UNREAD,
  type Unread,
  type StoreContext,
  type StoreDeps,
  type Writer,
} from "../store/index.ts";

/** A field that shows the name of a referenced record. */
interface Follower {
  readonly type: RecordType;
  readonly field: string;
  readonly reference: string;
}

const followersOf = (types: RecordTypes, name: RecordName): readonly Follower[] =>
  Object.values(types).flatMap((type) =>
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
export const isFollowed = (scope: Scope, { name }: RecordType): boolean =>
  followersOf(typesOf(scope), name).length > 0;

/** Queues a rename. Requires a `Tx`, so that the rename is queued if and only if the new name is committed. */
export async function queueRename(
  { scope: { db, tenantId }, deps, type }: Writer<Tx>,
  recordId: string,
): Promise<void> {
  await run(db)`
    insert into renames (id, tenant_id, referenced_type, record_id)
    values (${deps.makeId()}, ${tenantId}, ${type.name}, ${recordId})`;
}

/** A rename in the queue, and the last record that was updated. */
interface Queued {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly type: RecordName;
  readonly recordId: string;
  readonly reachedType: RecordName | null;
  readonly reachedId: string | null;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Creates a function that performs the next step of a rename: it updates at most one group of records of each type. The
 * tenants take turns. If a step fails, the tenant's other renames are tried first. The function returns false if the
 * queue is empty.
 */
export function createRenaming(db: Db, deps: StoreDeps): () => Promise<boolean> {
  let last: string = BEFORE_ALL;
  return async () => {
    let queued: Queued | undefined;
    try {
      await transaction(db, async (tx) => {
        queued = (await nextAfter(tx, last)) ?? (await nextAfter(tx, BEFORE_ALL));
        if (queued === undefined) return;
        last = queued.tenantId;
        await performStep(tx, deps, queued);
      });
    } catch (error) {
      if (queued === undefined) throw error;
      await run(db)`update renames set turn = ${deps.makeId()}
                     where tenant_id = ${queued.tenantId} and id = ${queued.id}`;
      throw error;
    }
    return queued !== undefined;
  };
}

/** Locks the next rename of the tenants whose ids are greater than this one. Skips renames that other workers hold. */
async function nextAfter(tx: Tx, tenantId: string): Promise<Queued | undefined> {
  const [queued] = await run<Queued[]>(tx)`
    select id, tenant_id as "tenantId", referenced_type as type, record_id as "recordId",
           reached_type as "reachedType", reached_id as "reachedId"
      from renames
     where tenant_id > ${tenantId}::uuid
       and tenant_id not in (select id from tenants where is_suspended)
     order by tenant_id, turn, id limit 1 for update skip locked`;
  return queued;
}

async function performStep(tx: Tx, deps: StoreDeps, queued: Queued): Promise<void> {
  const { id, tenantId, reachedType, reachedId } = queued;
  const context = { scope: { db: tx, tenantId, actor: SERVICE }, deps };
  const followers = followersOf(typesOf(context.scope), queued.type);
  const from = followers.findIndex(({ type }) => type.name === reachedType);
  for (const follower of followers.slice(Math.max(from, 0))) {
    const after = follower.type.name === reachedType ? (reachedId ?? "") : "";
    const reached = await followSome(context, follower, { recordId: queued.recordId, after });
    if (reached === undefined) continue;
    await run(tx)`update renames set reached_type = ${follower.type.name}, reached_id = ${reached}
                   where tenant_id = ${tenantId} and id = ${id}`;
    return;
  }
  await run(tx)`delete from renames where tenant_id = ${tenantId} and id = ${id}`;
}

/** Updates a group of the records that show the name. Returns the last one's id, or undefined if there are no more. */
async function followSome(
  context: Omit<StoreContext<Tx>, "type">,
  { type, field, reference }: Follower,
  { recordId, after }: { readonly recordId: string; readonly after: string },
): Promise<string | undefined> {
  const { scope } = context;
  const referring = type.fields[reference];
  if (referring?.kind !== "reference") return undefined;
  const rows = await run<Unread[]>(scope.db)`select ${UNREAD} from ${raw(type.table)}
         where tenant_id = ${scope.tenantId} and ${raw(reference)} = ${recordId} and id > ${after}
         order by id limit ${GROUP_RECORDS} for update`;
  const [group = []] = inGroups(rows);
  const ids = group.map(({ id }) => id);
  // Read the name only after the records are locked. Otherwise, it could replace the name of a later rename.
  const names = await recordNames(scope, typeOf(scope, referring.to), [recordId]);
  const name = names.get(recordId) ?? null;
  const stored = [...(await readStored(scope, type, ids)).values()];
  const records = stored
    .filter(({ body }) => body[field] !== name)
    .map((one) => ({
      stored: one,
      next: {
        id: String(one.body["_id"]),
        body: { ...withoutStamps(one.body), [field]: name },
        internal: one.internal,
        fields: { [field]: [one.body[field] ?? null, name] as const },
      },
    }));
  const action = "updated";
  await store({ ...context, type }, { kind: "updated", records, action, keepsUpdated: true });
  const hasMore = group.length < rows.length || rows.length === GROUP_RECORDS;
  return hasMore ? ids.at(-1) : undefined;
}
