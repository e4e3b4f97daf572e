/**
 * Checks the rows of a tenant file in the scratch database. The database schema has already checked types, uniqueness
 * and foreign keys. These checks cover conditions that the code relies on but that the schema does not enforce.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { PERMISSION_NAMES } from "../access/index.ts";
import { settingFaults } from "../tenants/index.ts";
import type { TenantId } from "../audit/index.ts";
import type { Table, TenantManifest } from "../backup/contents/index.ts";
import { DELIVERY_STATUSES } from "../delivery/index.ts";
import { STATUSES as PUSHED_LEAD_STATUSES } from "../exchange/pushed-leads/index.ts";
import { isAddressRange } from "../platform/addresses/index.ts";
import { ID_PATTERN } from "../platform/ids/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { ROLE_NAMES } from "../people/index.ts";
import { PASSWORD_HASH } from "../people/credentials/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { openPlan, PRIVACY, PRIVACY_SETTINGS, type StoredPlan } from "../privacy/index.ts";
import { RECORD_NAMES, type RecordType, TYPE_FACTS, typesOf } from "../records/types/index.ts";
import { responseSchema } from "../records/schemas/index.ts";

/** A condition that every row of a table must meet, and the message for rows that do not. */
interface Rule {
  readonly table: string;
  readonly holds: Sql;
  readonly wrong: string;
}

const ID = `^${ID_PATTERN}$`;

const oneOf = (table: string, column: string, values: readonly string[]): Rule => ({
  table,
  holds: sql`${raw(column)} = any(${values}::text[])`,
  wrong: `has an unknown ${column}`,
});

/** Rules for values that background work or other code uses without checking them. */
const VALUES: readonly Rule[] = [
  oneOf("people", "role", ROLE_NAMES),
  {
    table: "people",
    holds: sql`password_hash ~ ${PASSWORD_HASH}`,
    wrong: "has an invalid password_hash",
  },
  oneOf("renames", "referenced_type", RECORD_NAMES),
  oneOf("merges", "type", RECORD_NAMES),
  oneOf("merged_records", "type", RECORD_NAMES),
  oneOf("imports", "record_type", RECORD_NAMES),
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
    table: "changes",
    holds: sql`json_typeof(fields) = 'object'`,
    wrong: "has no object of fields",
  },
  {
    table: "imports",
    holds: sql`
      json_typeof(tally) = 'object' and coalesce(json_typeof(tally->'examples'), 'array') = 'array'
        and coalesce(json_typeof(tally->'words'), 'array') = 'array'`,
    wrong: "has an invalid tally",
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

/** The last second of the year 9999. Later times cannot be formatted. */
const LAST_TS = 253_402_300_799;

/** Returns rules for all columns with times, including lists of times. */
async function timeRules(db: Db, tables: readonly Table[]): Promise<readonly Rule[]> {
  // Release 0.1.0 stored any end of a replay. Imports end all replays.
  const names = tables.map(({ name }) => name).filter((name) => name !== "event_replays");
  const rows = await run<{ table: string; column: string; isEpoch: boolean }[]>(db)`
    select table_name::text as table, column_name::text as column, column_name like '%\\_ts' as "isEpoch"
      from information_schema.columns
     where table_schema = current_schema() and table_name = any(${names}::text[]) and is_generated = 'NEVER'
       and (column_name like '%\\_ts' or udt_name like '%timestamptz')`;
  return rows.map(({ table, column, isEpoch }) => {
    const [first, last] = isEpoch
      ? [sql`0`, sql`${LAST_TS}::bigint`]
      : [sql`to_timestamp(0)`, sql`to_timestamp(${LAST_TS})`];
    const times = sql`all(array[${raw(column)}])`;
    return {
      table,
      holds: sql`${first} <= ${times} and ${last} >= ${times}`,
      wrong: `has an invalid ${column}`,
    };
  });
}

/** Returns the JSON types that each member of a record's body can have. */
function memberTypes(type: RecordType): JsonObject {
  const { properties } = responseSchema(type);
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      [schema["type"]].flat().map((one) => (one === "integer" ? "number" : String(one))),
    ]),
  );
}

const ENTRY_LISTS = ["email_list", "phone_list"] as const;

/** Whether each member of a body has one of its types, and the lists of entries contain only objects. */
const hasMembers = (type: RecordType): Sql => sql`
  not exists (select from json_each(body) m
               where not (${JSON.stringify(memberTypes(type))}::text::jsonb->m.key ? json_typeof(m.value))
                  or m.key = any(${ENTRY_LISTS}::text[]) and json_typeof(m.value) = 'array'
                     and exists (select from json_array_elements(m.value) e
                                  where json_typeof(e) <> 'object'))`;

const referencesOf = ({ table, fields }: RecordType): readonly Rule[] =>
  Object.entries(fields).flatMap(([field, described]) => {
    if (described.kind !== "reference") return [];
    const other = TYPE_FACTS[described.to];
    const id = raw(`${table}.body->>'${field}'`);
    const found = sql`
      exists (select from ${raw(other.table)} o where o.tenant_id = ${raw(table)}.tenant_id and o.id = ${id})`;
    return [
      { table, holds: sql`${id} is null or ${found}`, wrong: `refers to a missing ${other.name}` },
    ];
  });

/**
 * All records that a record refers to must also be in the file. A record's id must match the id of its row. The members
 * of a body must have the right types, because the worker changes bodies when it follows a rename or erases a person.
 */
const recordRules = (type: RecordType): readonly Rule[] => [
  {
    table: type.table,
    holds: sql`body->>'_id' = id and json_typeof(body) = 'object'`,
    wrong: "has another id in its body",
  },
  { table: type.table, holds: hasMembers(type), wrong: "has a member of another type in its body" },
  ...referencesOf(type),
];

/** Returns what is wrong with the first invalid row, as part of a sentence. Returns undefined if all rows are valid. */
export async function findFault(
  db: Db,
  manifest: TenantManifest,
  tables: readonly Table[],
  sealer: Sealer,
): Promise<string | undefined> {
  const tenant = await tenantFault(db, manifest);
  if (tenant !== undefined) return tenant;
  const ids = tables
    .filter(({ name, columns }) => name !== "tenants" && columns.includes("id"))
    .map(({ name }) => ({ table: name, holds: sql`id ~ ${ID}`, wrong: "has an invalid id" }));
  const times = await timeRules(db, tables);
  const tenantId = manifest.tenant.id as TenantId;
  const records = Object.values(typesOf({ tenantId })).flatMap(recordRules);
  for (const { table, holds, wrong } of [...ids, ...times, ...VALUES, ...records]) {
    // A condition that evaluates to null counts as met. For example, a user who cannot sign in has no role.
    const [row] = await run<{ key: string }[]>(db)`
      select left(to_json(${raw(table)})::text, 60) as key
        from ${raw(table)} where not (${holds}) limit 1`;
    if (row !== undefined) return `a row of the table ${table} ${wrong} (${row.key} …)`;
  }
  return (await addressFault(db)) ?? (await erasureFault(db, sealer, tenantId));
}

/** Checks the IP allow lists of credentials. */
async function addressFault(db: Db): Promise<string | undefined> {
  for (const table of ["access_tokens", "partners"]) {
    const rows = await run<{ entry: string | null }[]>(db)`
      select distinct entry from ${raw(table)}, unnest(ip_allow_list) as entry`;
    const isValid = rows.every(({ entry }) => entry !== null && isAddressRange(entry));
    if (!isValid) return `a row of the table ${table} has an invalid ip_allow_list`;
  }
  return undefined;
}

const AT_ONCE = 100;

/** Opens the plan of each running erasure, because the worker carries it out. */
async function erasureFault(
  db: Db,
  sealer: Sealer,
  tenantId: TenantId,
): Promise<string | undefined> {
  for (let after = ""; ;) {
    const rows = await run<StoredPlan[]>(db)`
      select id, records, sealed from person_erasures
       where finished_ts is null and id > ${after} order by id limit ${AT_ONCE}`;
    for (const row of rows) {
      try {
        openPlan(sealer, tenantId, row);
      } catch {
        return `the worker cannot carry out the erasure ${row.id}`;
      }
      after = row.id;
    }
    if (rows.length < AT_ONCE) return undefined;
  }
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
