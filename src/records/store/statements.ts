/**
 * The statements that write records. In one round trip, each statement computes the stamps, stores the body and the
 * columns computed from it, and logs the change. So the body, columns and history cannot differ.
 */

import sql, { raw } from "sql-template-tag";
import { type Compose, composed } from "../../platform/database/index.ts";
import { once } from "../../platform/cache/index.ts";
import type { RecordType } from "../types/index.ts";
import { tableSql } from "./table-sql.ts";
import {
  CHANGE_ID,
  FIELDS,
  HEAD,
  ID,
  inputRows,
  INTERNAL,
  logged,
  type Many,
  NOW,
  type One,
  type StatementInput,
  TENANT,
  textAt,
  type UpdateInput,
} from "./statement-values.ts";

/** Inserts a single record. */
export const insertOne = once((type: RecordType): Compose<One> => {
  const { table, names, values } = tableSql(type);
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

/**
 * Inserts records in the given order, because callers sort them by unique value to prevent deadlocks. A restored record
 * gets the version after that of its removal, and keeps its stamps except for updated_ts.
 */
function inserting(type: RecordType, isRestoring: boolean): Compose<object> {
  const { table, names, fromColumns } = tableSql(type);
  const created = raw(isRestoring ? "g.old_created" : "n.ts");
  const status = raw(isRestoring ? "g.old_status" : "n.ts");
  const version = raw(isRestoring ? "g.old_version + 2" : "1");
  return composed(sql`
    with ${inputRows(type, { wereRead: isRestoring })}, written as (
      insert into ${table} (tenant_id, id, body, internal, ${names},
                            created_ts, updated_ts, status_update_date, version)
      select ${TENANT}::uuid, g.id,
             (g.head || record_stamps(${created}, n.ts, ${status}, ${version}, ${type.timestamp}))::json,
             g.internal::json, ${fromColumns}, ${created}, n.ts, ${status}, ${version}
        from n, input g
    ), logging as (
      select g.id, g.change_id, g.fields::json as fields, ${version} as version from input g
    )${logged(type)}`);
}

export const insertMany = once((type: RecordType): Compose<Many> => inserting(type, false));
export const restoreMany = once((type: RecordType): Compose<Many<UpdateInput>> =>
  inserting(type, true),
);

/** The stamps that an update changes. */
interface Touch {
  readonly keepsUpdated: boolean;
  readonly hasNewStatus: boolean;
}
const KEEPS_UPDATED = ({ keepsUpdated }: Touch) => keepsUpdated;
const HAS_NEW_STATUS = ({ hasNewStatus }: Touch) => hasNewStatus;

type OneUpdate = One & UpdateInput & Touch;
const VERSION = ({ version }: UpdateInput) => version;
const NEXT_VERSION = ({ version }: UpdateInput) => version + 1;
const CREATED = ({ created }: UpdateInput) => created;
const UPDATED = ({ updated }: UpdateInput) => updated;
const STATUS = ({ status }: UpdateInput) => status;

export const updateOne = once((type: RecordType): Compose<OneUpdate> => {
  const { table, assignments } = tableSql(type);
  return composed(sql`
    with stamps as materialized (
      select case when ${KEEPS_UPDATED} then ${UPDATED}::bigint else n.ts end as updated,
             case when ${HAS_NEW_STATUS} then n.ts else ${STATUS}::bigint end as status
        from ${NOW}
    ), written as (
      update ${table} t
         set body = (${HEAD}::text || record_stamps(${CREATED}::bigint, s.updated, s.status,
                                                    ${NEXT_VERSION}::integer, ${type.timestamp}))::json,
             internal = ${INTERNAL}::text::json, ${assignments(textAt)},
             updated_ts = s.updated, status_update_date = s.status, version = ${NEXT_VERSION}::integer
        from stamps s
       where t.tenant_id = ${TENANT} and t.id = ${ID} and t.version = ${VERSION}
      returning t.id, t.body, t.version
    ), logging as (
      select w.id, ${CHANGE_ID}::text as change_id, ${FIELDS}::text::json as fields, w.version
        from written w
    ), logged as (${logged(type)})
    select body from written`);
});

export const updateMany = once((type: RecordType): Compose<Many<UpdateInput> & Touch> => {
  const { table, columns, assignments } = tableSql(type);
  const updated = sql`case when ${KEEPS_UPDATED} then g.old_updated else n.ts end`;
  const status = sql`case when ${HAS_NEW_STATUS} then n.ts else g.old_status end`;
  return composed(sql`
    with ${inputRows(type, { wereRead: true })}, written as (
      update ${table} t
         set body = (g.head || record_stamps(g.old_created, ${updated}, ${status},
                                             g.old_version + 1, ${type.timestamp}))::json,
             internal = g.internal::json, ${assignments((at) => raw(`g.${columns[at]?.name}`))},
             updated_ts = ${updated}, status_update_date = ${status}, version = g.old_version + 1
        from input g, n
       where t.tenant_id = ${TENANT} and t.id = g.id and t.version = g.old_version
      returning t.id, g.change_id, g.fields::json as fields, t.version
    ), logging as (
      select * from written order by change_id
    )${logged(type)}`);
});

interface DeleteInput extends StatementInput {
  readonly ids: readonly string[];
  readonly changeIds: readonly string[];
  /** The contents of each change row, as JSON. */
  readonly fields: string;
}

/** Deletes records and logs the deletions. Each deletion gets the record's next version. */
export const remove = once((type: RecordType): Compose<DeleteInput> =>
  composed(sql`
    with removed as (
      delete from ${tableSql(type).table} t
       using unnest(${({ ids }: DeleteInput) => ids}::text[],
                    ${({ changeIds }: DeleteInput) => changeIds}::text[]) as input(id, change_id)
       where t.tenant_id = ${TENANT} and t.id = input.id
      returning t.id, input.change_id, ${({ fields }: DeleteInput) => fields}::text::json as fields,
                t.version + 1 as version
    ), logging as (
      select * from removed order by change_id
    )${logged(type)}`),
);
