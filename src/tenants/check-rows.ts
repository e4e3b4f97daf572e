/**
 * Checks the rows of a tenant file in the scratch database. The database schema has already checked types, uniqueness
 * and foreign keys. These checks cover conditions that the code relies on but that the schema does not enforce.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { PERMISSION_NAMES, settingFaults } from "../access/index.ts";
import type { Table, TenantManifest } from "../backup/index.ts";
import { DELIVERY_STATUSES } from "../delivery/index.ts";
import { PUSHED_LEAD_STATUSES } from "../exchange/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { ROLE_NAMES } from "../people/index.ts";
import { PRIVACY, PRIVACY_SETTINGS } from "../privacy/index.ts";
import { recordTypes } from "../records/index.ts";

/** A condition that every row of a table must meet, and the message for rows that do not. */
interface Rule {
  readonly table: string;
  readonly holds: Sql;
  readonly wrong: string;
}

const ID = "^[0-9a-f]{24}$";

const oneOf = (table: string, column: string, values: readonly string[]): Rule => ({
  table,
  holds: sql`${raw(column)} = any(${values}::text[])`,
  wrong: `has an unknown ${column}`,
});

const TYPE_NAMES = recordTypes.map(({ name }) => name);

/** Rules for values that background work or other code uses without checking them. */
const VALUES: readonly Rule[] = [
  oneOf("people", "role", ROLE_NAMES),
  oneOf("renames", "referenced_type", TYPE_NAMES),
  oneOf("merges", "type", TYPE_NAMES),
  oneOf("merged_records", "type", TYPE_NAMES),
  oneOf("imports", "record_type", TYPE_NAMES),
  oneOf("partners", "status", ["active", "suspended"]),
  oneOf("pushed_leads", "status", PUSHED_LEAD_STATUSES),
  oneOf("deliveries", "status", DELIVERY_STATUSES),
  {
    table: "access_tokens",
    holds: sql`permissions <@ ${PERMISSION_NAMES}::text[]`,
    wrong: "has an unknown permission",
  },
  {
    table: "access_tokens",
    holds: sql`octet_length(token_hash) = 32`,
    wrong: "has no SHA-256 hash",
  },
  {
    table: "partners",
    holds: sql`commission_rate between 0 and 100 and octet_length(access_code_hash) = 32`,
    wrong: "has an invalid commission rate or access code",
  },
  {
    table: "person_erasures",
    holds: sql`
      json_typeof(records) = 'array' and json_typeof(result->'counts') is not distinct from 'object'
        and (sealed is null) = (finished_ts is not null)`,
    wrong: "is neither a running nor a finished erasure",
  },
  {
    table: "tenant_settings",
    holds: sql`json_typeof(value) = 'object'`,
    wrong: "is not an object",
  },
  ...Object.entries(PRIVACY_SETTINGS).flatMap(([name, schema]): readonly Rule[] => {
    if (!("maximum" in schema)) return [];
    const value = sql`value->>${name}`;
    const isInRange = sql`(${value})::int between ${schema.minimum} and ${schema.maximum}`;
    return [
      {
        table: "tenant_settings",
        holds: sql`
          name <> ${PRIVACY} or ${value} is null
            or case when ${value} ~ '^[0-9]{1,9}$' then ${isInRange} else false end`,
        wrong: `has an invalid ${name}`,
      },
    ];
  }),
];

/** All records that a record refers to must also be in the file. A record's id must match the id of its row. */
const RECORDS: readonly Rule[] = recordTypes.flatMap(({ table, fields }) => [
  {
    table,
    holds: sql`body->>'_id' = id and json_typeof(body) = 'object'`,
    wrong: "has another id in its body",
  },
  ...Object.entries(fields).flatMap(([field, described]) => {
    if (described.kind !== "reference") return [];
    const other = recordTypes.find(({ name }) => name === described.to);
    if (other === undefined) return [];
    const id = raw(`${table}.body->>'${field}'`);
    const found = sql`
      exists (select from ${raw(other.table)} o where o.tenant_id = ${raw(table)}.tenant_id and o.id = ${id})`;
    return [
      { table, holds: sql`${id} is null or ${found}`, wrong: `refers to a missing ${other.name}` },
    ];
  }),
]);

/** Returns what is wrong with the first invalid row, as part of a sentence. Returns undefined if all rows are valid. */
export async function findFault(
  db: Db,
  manifest: TenantManifest,
  tables: readonly Table[],
): Promise<string | undefined> {
  const tenant = await tenantFault(db, manifest);
  if (tenant !== undefined) return tenant;
  const ids = tables
    .filter(({ name, columns }) => name !== "tenants" && columns.includes("id"))
    .map(({ name }) => ({ table: name, holds: sql`id ~ ${ID}`, wrong: "has an invalid id" }));
  for (const { table, holds, wrong } of [...ids, ...VALUES, ...RECORDS]) {
    // A condition that evaluates to null counts as met. For example, a user who cannot sign in has no role.
    const [row] = await run<{ key: string }[]>(db)`
      select left(to_json(${raw(table)})::text, 60) as key
        from ${raw(table)} where not (${holds}) limit 1`;
    if (row !== undefined) return `a row of the table ${table} ${wrong} (${row.key} …)`;
  }
  return undefined;
}

async function tenantFault(
  db: Db,
  { tenant: { id, handle, name } }: TenantManifest,
): Promise<string | undefined> {
  const rows = await run<(JsonObject & Record<"id" | "handle" | "name", string>)[]>(db)`
    select ${join(["id", "handle", "name", "default_country", "timezone", "currency"].map(raw))} from tenants`;
  const [row] = rows;
  if (row === undefined || rows.length > 1) return "it does not have exactly one tenant";
  if (row.id !== id || row.handle !== handle || row.name !== name) {
    return "its tenant is not the one in the manifest";
  }
  if (name.length === 0 || name.length > 200) return "the name of its tenant is invalid";
  const [fault] = Object.entries(settingFaults(row));
  return fault && `the tenant's ${fault[0]} is not ${fault[1]}`;
}
