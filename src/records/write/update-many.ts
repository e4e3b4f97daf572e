/** Changes many records of one type with a single statement, which also stores their change rows. */

import sql, { join, raw } from "sql-template-tag";
import { growing } from "../../audit/index.ts";
import { once } from "../../platform/clock/index.ts";
import { composed, run, type Compose } from "../../platform/database/index.ts";
import type { RecordType } from "../types/index.ts";
import { parts } from "../shape/index.ts";
import type { Stored } from "./find-record.ts";
import { changeRows, type Change } from "./statements.ts";
import {
  each,
  eachJson,
  logged,
  type Many,
  NOW,
  type StatementContext,
  TENANT,
  inputOf,
} from "./statement-values.ts";

interface ManyChanges extends Many {
  readonly stored: readonly Stored[];
  readonly isTouched: boolean;
}

const eachStored =
  (name: "created_ts" | "updated_ts" | "status_update_date" | "version") =>
  ({ stored }: ManyChanges) =>
    stored.map(({ body }) => Number(body[name]));

const updateMany = once((type: RecordType): Compose<ManyChanges> => {
  const { table, names, columns, assignments } = parts(type);
  const texts = columns.map((_, at) => sql`${each((one) => one.texts[at])}::text[]`);
  const updated = sql`
    case when ${({ isTouched }: ManyChanges) => isTouched} then n.ts else g.old_updated end`;
  return composed(sql`
    with n as materialized (select ts from ${NOW}),
    input as (
      select * from unnest(${each(({ id }) => id)}::text[], ${eachJson(({ head }) => head)},
                           ${each(({ internal }) => internal)}::text[],
                           ${eachJson(({ fields }) => fields)},
                           ${each(({ changeId }) => changeId)}::text[],
                           ${eachStored("version")}::integer[], ${eachStored("created_ts")}::bigint[],
                           ${eachStored("updated_ts")}::bigint[],
                           ${eachStored("status_update_date")}::bigint[], ${join(texts)})
             as input(id, head, internal, fields, change_id, old_version, old_created, old_updated,
                      old_status, ${names})
    ), written as (
      update ${table} t
         set body = (g.head || record_stamps(g.old_created, ${updated}, g.old_status,
                                             g.old_version + 1, ${type.timestamp}))::json,
             internal = g.internal::json, ${assignments((at) => raw(`g.${columns[at]?.name}`))},
             updated_ts = ${updated}, version = g.old_version + 1
        from input g, n
       where t.tenant_id = ${TENANT} and t.id = g.id and t.version = g.old_version
      returning t.id, g.change_id, g.fields::json as fields, t.version
    ), logging as (
      select * from written order by change_id
    )${logged(type)}`);
});

/** What all changes have in common: the action, and whether updated_ts changes. */
export interface SharedChange {
  readonly action: string;
  readonly isTouched: boolean;
}

/** Stores changes to a group of locked records. The bodies are sent as parameters, so groups are limited (`inGroups`). */
export async function updateRecords(
  context: StatementContext,
  changes: readonly Pick<Change, "stored" | "next">[],
  { action, isTouched }: SharedChange,
): Promise<void> {
  const { scope, type } = context;
  if (changes.length === 0) return;
  const many = changes.map(({ next }) => inputOf(context, next));
  const stored = changes.map((one) => one.stored);
  const { count } = await growing(
    scope,
    () => changeRows(many),
    () => run(scope.db, updateMany(type)({ scope, action, isTouched, many, stored })),
  );
  if (count !== changes.length) throw new Error("A locked record was changed");
}
