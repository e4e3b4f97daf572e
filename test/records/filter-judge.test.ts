/** For random records and filters, PostgreSQL, `evaluate` and mingo select the same records (docs/filters.md#operators). */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { filterColumns, type Column } from "../../src/records/columns/columns.ts";
import { evaluate } from "../../src/records/filter/evaluate.ts";
import { parseFilter } from "../../src/records/filter/filter.ts";
import { toSql } from "../../src/records/filter/to-sql.ts";
import type { JsonObject } from "../../src/platform/json/index.ts";
import { type RecordType, BUILT_IN_TYPES } from "../../src/records/types/record-types.ts";
import { testDatabase } from "../kit/database.ts";
import { isLong } from "../kit/long.ts";
import { judge } from "./filter-judge.ts";
import { bodies, filtersOf } from "./filter-samples.ts";
import type { TestSql } from "../kit/sql.ts";

/** `FILTER_SEED=… FILTER_RUNS=…` repeats a run or starts a longer one. */
const seed = Number(process.env["FILTER_SEED"] ?? Date.now() % 1_000_000_000);
const numRuns = Number(process.env["FILTER_RUNS"] ?? (isLong ? 5000 : 500));
const RECORDS = 60;

const COLUMNS: Readonly<Record<Column["kind"], (name: string) => readonly [string, string]>> = {
  text: (name) => ['text collate "C"', `body ->> '${name}'`],
  id: (name) => ['text collate "C"', `body ->> '${name}'`],
  number: (name) => ["numeric", `(body ->> '${name}')::numeric`],
  flag: (name) => ["boolean", `(body ->> '${name}')::boolean`],
  texts: (name) => ["text[]", `array(select json_array_elements_text(body -> '${name}'))`],
  emails: (name) => ["text[]", keys(name, "lower(e ->> 'email')")],
  phones: (name) => ["text[]", keys(name, "e ->> 'phone'")],
};
const keys = (name: string, key: string): string =>
  `array(select ${key} from json_array_elements(body -> '${name}') as e)`;

/** Creates a table with a type's filterable columns, filled from bodies as in the real database. */
async function fill(sql: TestSql, type: RecordType, records: readonly JsonObject[]) {
  const columns = filterColumns(type).map(({ name, kind }) => [name, ...COLUMNS[kind](name)]);
  const declared = columns.map(([name, kind]) => `${name} ${kind}`).join(", ");
  await sql.unsafe(`create table ${type.table} (id text collate "C", ${declared}, body json)`);
  await sql.unsafe(
    `insert into ${type.table} select body ->> '_id', ${columns.map((column) => column[2]).join(", ")}, body
       from json_array_elements($1::json) as body`,
    [JSON.stringify(records)],
  );
}

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`PostgreSQL, evaluate and mingo select the same of the ${type.table}`, async (t) => {
    const { sql } = await testDatabase(t);
    const records = fc
      .sample(bodies(type), { seed, numRuns: RECORDS })
      .map((body, i) => ({ _id: `65f0c0ffee65f0c0ffee00${String(i).padStart(2, "0")}`, ...body }));
    await fill(sql, type, records);
    const listing = type.lists["all"];
    assert.ok(listing);
    const context = { type, listing, evalObjectId: true, country: "US" } as const;
    let selected = 0;
    const { filters, patterns } = filtersOf(type);
    const agrees = fc.asyncProperty(filters, async (filter) => {
      const parsed = parseFilter(JSON.stringify(filter), context);
      const { text, values } = toSql(parsed);
      const rows = await sql.unsafe(
        `select id from ${type.table} where ${text} order by id`,
        values,
      );
      selected += rows.length > 0 && rows.length < RECORDS ? 1 : 0;
      const ids = judge(type, filter, patterns, records);
      assert.deepEqual(
        rows.map(({ id }) => id),
        ids,
        text,
      );
      const evaluated = records.filter((record) => evaluate(parsed, record));
      assert.deepEqual(
        evaluated.map(({ _id }) => _id),
        ids,
        JSON.stringify(filter),
      );
    });
    await fc.assert(agrees, { seed, numRuns });
    assert.ok(selected > numRuns / 5, `only ${selected} filters told records apart`);
  });
}
