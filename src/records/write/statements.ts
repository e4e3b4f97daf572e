/**
 * The statements that write records. In one round trip, each statement computes the stamps, stores the body and the
 * columns computed from it, and logs the change. So the body, columns and history cannot differ.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import sql, { join, type Sql } from "sql-template-tag";
import { growing, ROW_bytes, type ChangedFields, type Growth } from "../../audit/index.ts";
import { type Compose, composed, inOrder, run, runRaw } from "../../platform/database/index.ts";
import { once } from "../../platform/clock/index.ts";
import type { RecordType } from "../types/index.ts";
import { parts, type STAMP_COLUMNS } from "../shape/index.ts";
import type { Stored } from "./find-record.ts";
import {
  CHANGE_ID,
  each,
  eachJson,
  FIELDS,
  HEAD,
  ID,
  INTERNAL,
  logged,
  NOW,
  TENANT,
  textAt,
  inputOf,
  type StatementInput,
  type Many,
  type One,
  type StatementContext,
  type RecordWrite,
  type WriteInput,
} from "./statement-values.ts";

/** The stamps that an update changes. */
export interface Touch {
  readonly updated: boolean;
  readonly status: boolean;
}

const CREATED = "created";

/** Stores a new record with its change row, and returns its body as bytes. */
export async function insertRecord(context: StatementContext, write: RecordWrite): Promise<Buffer> {
  const { scope, type } = context;
  const input = { scope, action: CREATED, ...inputOf(context, write) };
  const [row] = await growing(
    scope,
    () => newRecords([input]),
    () => runRaw(scope.db, insertOne(type)(input)),
  );
  return row?.column(0) as Buffer;
}

/** Returns the storage that new records and their change rows will use. */
const newRecords = (many: readonly WriteInput[]): Growth => ({
  records: many.length,
  bytes: many.reduce((sum, one) => sum + bytesOf(one), 0),
});

/** Returns the approximate size of a record and its change row. */
function bytesOf({ head, internal, fields, texts }: WriteInput): number {
  let bytes = 2 * ROW_bytes + head.length + fields.length + (internal?.length ?? 0);
  for (const text of texts) bytes += text?.length ?? 0;
  return bytes;
}

/** Records per statement. The next records are built while PostgreSQL inserts these. */
const AT_ONCE = 100;

/**
 * Stores new records with their change rows. Records are built while earlier ones are being inserted. More than AT_ONCE
 * records require a transaction.
 */
export async function insertRecords(
  context: StatementContext,
  writes: Iterable<RecordWrite>,
): Promise<void> {
  const { scope, type } = context;
  const sent: Promise<unknown>[] = [];
  let many: WriteInput[] = [];
  const send = async (): Promise<void> => {
    if (many.length === 0) return;
    const input = { scope, action: CREATED, many };
    const inserted = growing(
      scope,
      () => newRecords(input.many),
      () => run(scope.db, insertMany(type)(input)),
    );
    // If an insert fails, the error is thrown when all inserts are awaited. Until then, prevent an unhandled rejection.
    inserted.catch(() => undefined);
    sent.push(inserted);
    many = [];
    await nextTurn();
  };
  for (const write of writes) {
    many.push(inputOf(context, write));
    if (many.length === AT_ONCE) await send();
  }
  await send();
  await inOrder(...sent);
}

/** Inserts a single record. Inserting a list with one record would cost twice as much. */
const insertOne = once((type: RecordType): Compose<One> => {
  const { table, names, values } = parts(type);
  return composed(sql`
    with n as materialized (select ts from ${NOW}),
    logging as (
      select ${ID}::text as id, ${CHANGE_ID}::text as change_id, ${FIELDS}::text::json as fields,
             1 as version
    ), logged as (${logged(type)})
    insert into ${table} (tenant_id, id, body, internal, ${names},
                          created_ts, updated_ts, status_update_date, version)
    select ${TENANT}::uuid, ${ID}::text,
           (${HEAD}::text || record_stamps(n.ts, n.ts, n.ts, 1, ${type.timestamp}))::json,
           ${INTERNAL}::text::json, ${values(textAt)}, n.ts, n.ts, n.ts, 1
      from n
    returning body`);
});

/** Inserts records in the given order, because callers sort them by unique value to prevent deadlocks. */
const insertMany = once((type: RecordType): Compose<Many> => {
  const { table, names, columns, fromColumns } = parts(type);
  const texts = columns.map((_, at) => sql`${each((one) => one.texts[at])}::text[]`);
  return composed(sql`
    with n as materialized (select ts from ${NOW}),
    input as (
      select * from unnest(${each(({ id }) => id)}::text[], ${eachJson(({ head }) => head)},
                           ${each(({ internal }) => internal)}::text[],
                           ${eachJson(({ fields }) => fields)},
                           ${each(({ changeId }) => changeId)}::text[], ${join(texts)})
             as input(id, head, internal, fields, change_id, ${names})
    ), written as (
      insert into ${table} (tenant_id, id, body, internal, ${names},
                            created_ts, updated_ts, status_update_date, version)
      select ${TENANT}::uuid, g.id,
             (g.head || record_stamps(n.ts, n.ts, n.ts, 1, ${type.timestamp}))::json,
             g.internal::json, ${fromColumns}, n.ts, n.ts, n.ts, 1
        from n, input g
    ), logging as (
      select g.id, g.change_id, g.fields::json as fields, 1 as version from input g
    )${logged(type)}`);
});

/** A change to a record: the record as read, its new state, and the stamps to update. */
export interface Change {
  readonly stored: Stored;
  readonly next: RecordWrite;
  readonly touch: Touch;
  readonly action: string;
}

/** Stores a changed record and returns its body, or undefined if it is no longer at the version that was read. */
export const updateRecord = (context: StatementContext, change: Change) =>
  storeChange(context, change, update, (one) => changeRows([one]));

/**
 * Restores a removed record. Its version is one higher than at its removal. Only the stamps in `touch` change. Fails
 * with the database's error (23505) if a unique value has been taken in the meantime.
 */
export const restoreRecord = (context: StatementContext, change: Change) => {
  const removed = { ...change.stored, version: change.stored.version + 1 };
  const restoring = { ...change, stored: removed };
  return storeChange(context, restoring, restore, (one) => newRecords([one]));
};

/** Returns the additional storage that updates will use, which is the size of their change rows. */
export const changeRows = (many: readonly WriteInput[]): Growth => ({
  records: 0,
  bytes: many.reduce((sum, { fields }) => sum + ROW_bytes + fields.length, 0),
});

type UpdateInput = One & Pick<Change, "stored" | "touch">;
const VERSION = ({ stored }: UpdateInput) => stored.version;
const NEXT_VERSION = ({ stored }: UpdateInput) => stored.version + 1;
const stampOf =
  (name: (typeof STAMP_COLUMNS)[number]) =>
  ({ stored }: UpdateInput) =>
    Number(stored.body[name]);

/** Returns the statement that stores a changed body in its table. The stamps come from `stamps s`. */
const changing = (type: RecordType, way: (body: Sql) => Sql): Compose<UpdateInput> =>
  composed(sql`
    with stamps as materialized (
      select case when ${({ touch }: UpdateInput) => touch.updated} then n.ts
                  else ${stampOf("updated_ts")}::bigint end as updated,
             case when ${({ touch }: UpdateInput) => touch.status} then n.ts
                  else ${stampOf("status_update_date")}::bigint end as status
        from ${NOW}
    ), written as (${way(sql`
      (${HEAD}::text || record_stamps(${stampOf("created_ts")}::bigint, s.updated, s.status,
                                      ${NEXT_VERSION}::integer, ${type.timestamp}))::json`)}
    ), logging as (
      select w.id, ${CHANGE_ID}::text as change_id, ${FIELDS}::text::json as fields, w.version
        from written w
    ), logged as (${logged(type)})
    select body from written`);

const update = once((type: RecordType) => {
  const { table, assignments } = parts(type);
  return changing(
    type,
    (body) => sql`
      update ${table} t
         set body = ${body}, internal = ${INTERNAL}::text::json, ${assignments(textAt)},
             updated_ts = s.updated, status_update_date = s.status, version = ${NEXT_VERSION}::integer
        from stamps s
       where t.tenant_id = ${TENANT} and t.id = ${ID} and t.version = ${VERSION}
      returning t.id, t.body, t.version`,
  );
});

const restore = once((type: RecordType) => {
  const { table, names, values } = parts(type);
  return changing(
    type,
    (body) => sql`
      insert into ${table} (tenant_id, id, body, internal, ${names},
                            created_ts, updated_ts, status_update_date, version)
      select ${TENANT}::uuid, ${ID}, ${body}, ${INTERNAL}::text::json, ${values(textAt)},
             ${stampOf("created_ts")}::bigint, s.updated, s.status, ${NEXT_VERSION}::integer
        from stamps s
      returning id, body, version`,
  );
});

async function storeChange(
  context: StatementContext,
  { stored, next, touch, action }: Change,
  statement: typeof update,
  growthOf: (one: WriteInput) => Growth,
): Promise<Buffer | undefined> {
  const { scope, type } = context;
  const input = { scope, action, stored, touch, ...inputOf(context, next) };
  const [row] = await growing(
    scope,
    () => growthOf(input),
    () => runRaw(scope.db, statement(type)(input)),
  );
  return row?.column(0) ?? undefined;
}

/** Records to remove from their table, and what to log in their change rows. */
export interface Removal {
  readonly ids: readonly string[];
  readonly fields: ChangedFields;
  readonly action: string;
}

interface DeleteInput extends StatementInput, Pick<Removal, "ids"> {
  readonly changeIds: readonly string[];
  readonly fields: string;
}

const remove = once((type: RecordType): Compose<DeleteInput> =>
  composed(sql`
    with removed as (
      delete from ${parts(type).table} t
       using unnest(${({ ids }: DeleteInput) => ids}::text[],
                    ${({ changeIds }: DeleteInput) => changeIds}::text[]) as input(id, change_id)
       where t.tenant_id = ${TENANT} and t.id = input.id
      returning t.id, input.change_id, ${({ fields }: DeleteInput) => fields}::text::json as fields,
                t.version + 1 as version
    ), logging as (
      select * from removed order by change_id
    )${logged(type)}`),
);

/** Removes records and logs the removals. Each removal gets the record's next version. */
export async function removeRecords(
  { scope, type, deps }: StatementContext,
  { ids, fields, action }: Removal,
): Promise<void> {
  const changeIds = ids.map(deps.makeId);
  const input = { scope, action, ids, changeIds, fields: JSON.stringify(fields) };
  await growing(
    scope,
    () => ({ records: -ids.length, bytes: 0 }),
    () => run(scope.db, remove(type)(input)),
  );
}
