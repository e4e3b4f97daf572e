/**
 * The statements that write and read records. A write takes the stamps, stores the body with them,
 * reads the columns out of that same body and logs the change: one statement, one round trip, so that
 * body, columns and history cannot disagree.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { ChangedFields, Scope } from "../audit/index.ts";
import { run, type Tx } from "../platform/db.ts";
import type { MakeId } from "../platform/ids.ts";
import type { JsonObject } from "../platform/json.ts";
import type { RecordType } from "./define.ts";
import type { Internal, Values } from "./present.ts";
import { parts } from "./statement-parts.ts";

/** One record to be written: the body without stamps, and what its change row tells. */
export interface Writing {
  readonly id: string;
  readonly body: Values;
  readonly internal: Internal;
  readonly fields: ChangedFields;
}

/** A record as it is stored. */
export interface Stored {
  readonly body: JsonObject;
  readonly internal: Internal;
  readonly version: number;
}

/** Which stamps an update moves (D2.3, D3.8). */
export interface Touch {
  readonly updated: boolean;
  readonly status: boolean;
}

/** The stamp; the transaction has its xid before the clock is read (platform/horizon.ts). */
const NOW = raw(`(select case when pg_current_xact_id() is null then null
                    else floor(extract(epoch from clock_timestamp()))::bigint end as ts) n`);

const logged = ({ tenantId, actor }: Scope, type: RecordType, action: string): Sql => sql`
  insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                       actor_kind, actor_id, actor_name, fields, request_id)
  select ${tenantId}::uuid, w.change_id, clock_timestamp(), ${type.name}, w.id, ${action},
         w.version, ${actor.kind}, ${actor.id}, ${actor.name}, w.fields, ${actor.requestId}
    from logging w`;

/** Everything but the closing brace, which the stamps bring. */
const head = (body: Values): string => JSON.stringify(body).slice(0, -1);

/** Stores new records with their change rows; answers their bodies as bytes, in the given order. */
export async function insertRecords(
  scope: Scope,
  makeId: MakeId,
  type: RecordType,
  writings: readonly Writing[],
): Promise<readonly Buffer[]> {
  const { table, names, values, parse } = parts(type);
  const rows = await run(
    scope.db,
    sql`
      with given as (
        select * from unnest(${writings.map(({ id }) => id)}::text[],
                             ${writings.map(({ body }) => head(body))}::text[],
                             ${writings.map(({ internal }) => JSON.stringify(internal))}::text[],
                             ${writings.map(({ fields }) => JSON.stringify(fields))}::text[],
                             ${writings.map(() => makeId())}::text[])
               with ordinality as given(id, head, internal, fields, change_id, place)
      ), written as (
        insert into ${table} (tenant_id, id, body, internal, ${names},
                              created_ts, updated_ts, status_update_date, version)
        select ${scope.tenantId}::uuid, g.id, b.body, nullif(g.internal, '{}')::json, ${values},
               n.ts, n.ts, n.ts, 1
          from ${NOW}, given g,
               lateral (select (g.head || record_stamps(n.ts, n.ts, n.ts, 1, ${type.timestamp}))::json
                               as body offset 0) b,
               lateral json_to_record(b.body) as x(${parse})
        returning id, body
      ), logging as (
        select g.id, g.change_id, g.fields::json as fields, 1 as version from given g
      ), logged as (${logged(scope, type, "created")})
      select w.body from written w join given g using (id) order by g.place`,
  ).raw();
  return rows.map(([body]) => body as Buffer);
}

/** How a record is to be changed: its version and stamps as they were read, and what moves. */
export interface Change {
  readonly stored: Stored;
  readonly next: Writing;
  readonly touch: Touch;
  readonly action: string;
}

/** Stores a changed record where it is still at the version that was read; its body, or undefined. */
export const updateRecord = (scope: Scope, makeId: MakeId, type: RecordType, change: Change) =>
  storeChange(scope, makeId, type, change, UPDATE);

/**
 * Stores a record that was removed and comes back: its body, with the stamps that it had and the version
 * after that of its removal. A value that must be unique and is taken meanwhile fails as the database
 * tells it (23505).
 */
export const restoreRecord = (scope: Scope, makeId: MakeId, type: RecordType, change: Change) => {
  const removed = { ...change.stored, version: change.stored.version + 1 };
  return storeChange(scope, makeId, type, { ...change, stored: removed }, INSERT);
};

/** How the body in `next n`, parsed as `x`, gets into the table. */
type Way = (scope: Scope, type: RecordType, change: Change) => Sql;

const UPDATE: Way = ({ tenantId }, type, { stored: { version }, next }) => {
  const { table, assignments, parse } = parts(type);
  return sql`
    update ${table} t
       set body = n.body, internal = ${internalText(next.internal)}::text::json, ${assignments},
           updated_ts = n.updated, status_update_date = n.status,
           version = ${version + 1}::integer
      from next n, lateral json_to_record(n.body) as x(${parse})
     where t.tenant_id = ${tenantId} and t.id = ${next.id} and t.version = ${version}
    returning t.id, t.body, t.version`;
};

const INSERT: Way = ({ tenantId }, type, { stored: { body, version }, next }) => {
  const { table, names, values, parse } = parts(type);
  return sql`
    insert into ${table} (tenant_id, id, body, internal, ${names},
                          created_ts, updated_ts, status_update_date, version)
    select ${tenantId}::uuid, ${next.id}, n.body, ${internalText(next.internal)}::text::json,
           ${values}, ${Number(body["created_ts"])}::bigint, n.updated, n.status,
           ${version + 1}::integer
      from next n, lateral json_to_record(n.body) as x(${parse})
    returning id, body, version`;
};

async function storeChange(
  scope: Scope,
  makeId: MakeId,
  type: RecordType,
  change: Change,
  way: Way,
): Promise<Buffer | undefined> {
  const { stored, next, touch, action } = change;
  const { body: was, version } = stored;
  const [row] = await run(
    scope.db,
    sql`
      with stamps as materialized (
        select case when ${touch.updated} then n.ts
                    else ${Number(was["updated_ts"])}::bigint end as updated,
               case when ${touch.status} then n.ts
                    else ${Number(was["status_update_date"])}::bigint end as status
          from ${NOW}
      ), next as materialized (
        select s.*, (${head(next.body)}::text ||
                     record_stamps(${Number(was["created_ts"])}::bigint, s.updated, s.status,
                                   ${version + 1}::integer, ${type.timestamp}))::json as body
          from stamps s
      ), written as (${way(scope, type, change)}
      ), logging as (
        select w.id, ${makeId()}::text as change_id, ${JSON.stringify(next.fields)}::text::json as fields,
               w.version from written w
      ), logged as (${logged(scope, type, action)})
      select body from written`,
  ).raw();
  return row?.[0];
}

const internalText = (internal: Internal): string | null =>
  Object.keys(internal).length === 0 ? null : JSON.stringify(internal);

/** The body of one record as bytes; undefined where this tenant has none with that id. */
export async function findBody(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
): Promise<Buffer | undefined> {
  const [row] = await run(
    db,
    sql`select body from ${parts(type).table} where tenant_id = ${tenantId} and id = ${id}`,
  ).raw();
  return row?.[0];
}

/** The id, where this tenant has a record of the type with it. */
export async function findId(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
): Promise<string | undefined> {
  const [row] = await run(
    db,
    sql`select id from ${parts(type).table} where tenant_id = ${tenantId} and id = ${id}`,
  );
  return row?.["id"] as string | undefined;
}

/** One record with what it remembers; `lock` holds it until the transaction ends. */
export async function findStored(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
  { lock = false } = {},
): Promise<(Stored & { readonly bytes: Buffer }) | undefined> {
  const [row] = await run(
    db,
    sql`select body, internal from ${parts(type).table}
         where tenant_id = ${tenantId} and id = ${id} ${raw(lock ? "for update" : "")}`,
  ).raw();
  if (row === undefined) return undefined;
  const [bytes, internal] = row as unknown as [Buffer, Buffer | null];
  const body = JSON.parse(bytes.toString("utf8")) as JsonObject;
  return {
    bytes,
    body,
    internal: internal === null ? {} : (JSON.parse(internal.toString("utf8")) as Internal),
    version: Number(body["version"]),
  };
}

/** Records by id, held in the order of their ids until the transaction ends. */
export async function holdStored(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stored>> {
  const rows = await run(
    db,
    sql`select id, body, internal, version from ${parts(type).table}
         where tenant_id = ${tenantId} and id = any(${ids}::text[]) order by id for update`,
  );
  return new Map(
    rows.map(({ id, internal, ...row }) => [
      id as string,
      { ...(row as unknown as Stored), internal: (internal ?? {}) as Internal },
    ]),
  );
}

/** Names of the records of a type by id; held against change until the transaction ends (D3.8). */
export async function namesOf(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await run(
    db,
    sql`select id, body->>'name' as name from ${parts(type).table}
         where tenant_id = ${tenantId} and id = any(${ids}::text[]) for share`,
  );
  return new Map(rows.map(({ id, name }) => [id as string, name as string | null]));
}

/** The id of the record of this tenant that holds a value that must be unique. */
export async function findByUnique(
  { db, tenantId }: Scope,
  type: RecordType,
  name: string,
  value: string,
): Promise<string | undefined> {
  const [row] = await run(
    db,
    sql`select id from ${parts(type).table}
         where tenant_id = ${tenantId} and ${raw(name)} = ${value}`,
  );
  return row?.["id"] as string | undefined;
}

/** A record that leaves its table, and what its change row tells. */
export interface Removal {
  readonly id: string;
  readonly fields: ChangedFields;
  readonly action: string;
}

/** Removes a record with its change row, which has the next version; false where there was none. */
export async function removeRecord(
  scope: Scope,
  makeId: MakeId,
  type: RecordType,
  { id, fields, action }: Removal,
): Promise<boolean> {
  const rows = await run(
    scope.db,
    sql`
      with logging as (
        delete from ${parts(type).table} where tenant_id = ${scope.tenantId} and id = ${id}
        returning id, ${makeId()}::text as change_id, ${JSON.stringify(fields)}::text::json as fields,
                  version + 1 as version
      ), logged as (${logged(scope, type, action)})
      select id from logging`,
  );
  return rows.length > 0;
}
