/**
 * The statements that write and read records. A write takes the stamps, stores the body with them and
 * the columns of that same body, and logs the change: one statement, one round trip, so that body,
 * columns and history cannot disagree.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { ChangedFields, Scope } from "../audit/index.ts";
import { run } from "../platform/db.ts";
import type { MakeId } from "../platform/ids.ts";
import type { RecordType } from "./define.ts";
import type { Internal, Values } from "./present.ts";
import { parts } from "./statement-parts.ts";
import type { Stored } from "./stored.ts";

/** One record to be written: the body without stamps, and what its change row tells. */
export interface Writing {
  readonly id: string;
  readonly body: Values;
  readonly internal: Internal;
  readonly fields: ChangedFields;
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
  const [only, ...others] = writings;
  const rows =
    only !== undefined && others.length === 0
      ? await run(scope.db, insertOne(scope, makeId, type, only)).raw()
      : await run(scope.db, insertMany(scope, makeId, type, writings)).raw();
  return rows.map(([body]) => body as Buffer);
}

/** One record: half of what the same costs as a list of one. */
function insertOne(scope: Scope, makeId: MakeId, type: RecordType, writing: Writing): Sql {
  const { table, names, textsOf, values } = parts(type);
  const { id, body, internal, fields } = writing;
  return sql`
    with n as materialized (select ts from ${NOW}),
    logging as (
      select ${id}::text as id, ${makeId()}::text as change_id,
             ${JSON.stringify(fields)}::text::json as fields, 1 as version
    ), logged as (${logged(scope, type, "created")})
    insert into ${table} (tenant_id, id, body, internal, ${names},
                          created_ts, updated_ts, status_update_date, version)
    select ${scope.tenantId}::uuid, ${id}::text,
           (${head(body)}::text || record_stamps(n.ts, n.ts, n.ts, 1, ${type.timestamp}))::json,
           ${internalText(internal)}::text::json, ${values(textsOf(body))}, n.ts, n.ts, n.ts, 1
      from n
    returning body`;
}

function insertMany(
  scope: Scope,
  makeId: MakeId,
  type: RecordType,
  writings: readonly Writing[],
): Sql {
  const { table, names, textsOf, many, order } = parts(type);
  const texts = writings.map(({ body }) => textsOf(body));
  const columns = (texts[0] ?? []).map((_, at) => texts.map((row) => row[at] ?? null));
  return sql`
    with n as materialized (select ts from ${NOW}),
    given as (
      select * from unnest(${writings.map(({ id }) => id)}::text[],
                           ${writings.map(({ body }) => head(body))}::text[],
                           ${writings.map(({ internal }) => internalText(internal))}::text[],
                           ${writings.map(({ fields }) => JSON.stringify(fields))}::text[],
                           ${writings.map(() => makeId())}::text[],
                           ${join(columns.map((column) => sql`${column}::text[]`))})
             with ordinality as given(id, head, internal, fields, change_id, ${names}, place)
    ), written as (
      insert into ${table} (tenant_id, id, body, internal, ${names},
                            created_ts, updated_ts, status_update_date, version)
      select ${scope.tenantId}::uuid, g.id,
             (g.head || record_stamps(n.ts, n.ts, n.ts, 1, ${type.timestamp}))::json,
             g.internal::json, ${many}, n.ts, n.ts, n.ts, 1
        from n, given g
       order by ${order}
      returning id, body
    ), logging as (
      select g.id, g.change_id, g.fields::json as fields, 1 as version from given g
    ), logged as (${logged(scope, type, "created")})
    select w.body from written w join given g using (id) order by g.place`;
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

/** How a body gets into the table; the stamps that it gets stand in `stamps s`. */
type Way = (scope: Scope, type: RecordType, change: Change) => Sql;

/** The body of the next version. */
const bodySql = (type: RecordType, { stored: { body, version }, next }: Change): Sql => sql`
  (${head(next.body)}::text ||
   record_stamps(${Number(body["created_ts"])}::bigint, s.updated, s.status,
                 ${version + 1}::integer, ${type.timestamp}))::json`;

const UPDATE: Way = ({ tenantId }, type, change) => {
  const { table, assignments, textsOf } = parts(type);
  const { next, stored } = change;
  return sql`
    update ${table} t
       set body = ${bodySql(type, change)}, internal = ${internalText(next.internal)}::text::json,
           ${assignments(textsOf(next.body))}, updated_ts = s.updated,
           status_update_date = s.status, version = ${stored.version + 1}::integer
      from stamps s
     where t.tenant_id = ${tenantId} and t.id = ${next.id} and t.version = ${stored.version}
    returning t.id, t.body, t.version`;
};

const INSERT: Way = ({ tenantId }, type, change) => {
  const { table, names, values, textsOf } = parts(type);
  const { next, stored } = change;
  return sql`
    insert into ${table} (tenant_id, id, body, internal, ${names},
                          created_ts, updated_ts, status_update_date, version)
    select ${tenantId}::uuid, ${next.id}, ${bodySql(type, change)},
           ${internalText(next.internal)}::text::json, ${values(textsOf(next.body))},
           ${Number(stored.body["created_ts"])}::bigint, s.updated, s.status,
           ${stored.version + 1}::integer
      from stamps s
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
  const { body: was } = stored;
  const [row] = await run(
    scope.db,
    sql`
      with stamps as materialized (
        select case when ${touch.updated} then n.ts
                    else ${Number(was["updated_ts"])}::bigint end as updated,
               case when ${touch.status} then n.ts
                    else ${Number(was["status_update_date"])}::bigint end as status
          from ${NOW}
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
