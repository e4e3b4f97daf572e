/** Every database column is declared, with the kind of data that it contains. */

import assert from "node:assert/strict";
import test from "node:test";
import { columnsOf } from "../../src/privacy/registry.ts";
import { MODULES, PERSONAL_COLUMNS } from "../../src/service/modules.ts";
import { migratedDatabase } from "../kit/database.ts";
import type { TestSql } from "../kit/sql.ts";

/** The tables of the job queue. Jobs contain only ids of tenants and deliveries. */
const QUEUE_TABLES: readonly string[] = [
  "bam",
  "job",
  "job_common",
  "job_dependency",
  "queue",
  "queue_stats",
  "schedule",
  "subscription",
  "version",
  "warning",
];

interface Column {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
}

const columnsIn = (sql: TestSql): Promise<readonly Column[]> => sql<Column[]>`
  select n.nspname as schema, c.relname as table, a.attname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
   order by 1, 2, a.attnum`;

const undeclaredIn = (columns: readonly Column[]): readonly string[] =>
  columns.flatMap(({ table, name }) =>
    columnsOf(PERSONAL_COLUMNS, table).has(name) ? [] : [`${table}.${name}`],
  );

test("a new column and a new table are reported until they are declared", async (t) => {
  const { sql } = await migratedDatabase(t);
  await sql.unsafe("alter table leads add column nickname text; create table diaries (entry text)");
  const own = (await columnsIn(sql)).filter(({ schema }) => schema === "public");
  assert.deepEqual(undeclaredIn(own), ["diaries.entry", "leads.nickname"]);
});

test("every column of every table declares whether it holds personal data", async (t) => {
  const { sql } = await migratedDatabase(t);
  const columns = await columnsIn(sql);
  const own = columns.filter(({ schema }) => schema === "public");
  assert.deepEqual(
    undeclaredIn(own),
    [],
    "Declare the column in the `personal` of its module, and erase it if it holds personal data.",
  );
  const declared = Object.keys(PERSONAL_COLUMNS).flatMap((table) =>
    [...columnsOf(PERSONAL_COLUMNS, table).keys()].map((name) => `${table}.${name}`),
  );
  const existing = new Set(own.map(({ table, name }) => `${table}.${name}`));
  assert.deepEqual(
    declared.filter((column) => !existing.has(column)),
    [],
    "There is no such column: remove it from the `personal` of its module.",
  );
  const queue = new Set(columns.flatMap(({ schema, table }) => (schema === "pgboss" ? table : [])));
  assert.deepEqual([...queue].toSorted(), QUEUE_TABLES.toSorted());
  const others = columns.filter(({ schema }) => schema !== "public" && schema !== "pgboss");
  assert.deepEqual(others, []);
});

test("no column is declared twice", () => {
  const tables = MODULES.flatMap(({ personal = {} }) => Object.keys(personal));
  assert.equal(new Set(tables).size, tables.length, "A table belongs to one module.");
  for (const [table, kinds] of Object.entries(PERSONAL_COLUMNS)) {
    const names = Object.values(kinds).flatMap((list) => list.split(" "));
    assert.equal(new Set(names).size, names.length, table);
  }
});
