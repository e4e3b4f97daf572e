/** Every list of every type: each filter and sort key works, and has a column and an index. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import {
  filterColumns,
  columnOf,
  sortColumns,
  storedColumns,
} from "../../../src/records/columns/columns.ts";
import type { RecordType } from "../../../src/records/types/record-types.ts";
import { fileApi } from "../../kit/file-api.ts";
import { LISTS, makeReferable, ok, partialBody, recordsIn, type Body } from "../samples.ts";
import { idsOf, sorted } from "./sorting.ts";

const api = await fileApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
const RECORDS = 9;

const made = new Map<RecordType, readonly Body[]>();
for (const type of Object.values(BUILT_IN_TYPES)) {
  for (let seed = 0; seed < RECORDS; seed++) {
    ok(await acme.post(type.writePath, partialBody(type, seed, refs)));
  }
  const all = recordsIn(ok(await acme.get(type.lists["all"]?.path ?? "", { page_size: 500 })));
  // Set distinct timestamps, so that the sort order is visible.
  for (const [at, { _id }] of all.entries()) {
    const base = Math.floor(Date.now() / 1000) - 600;
    await api.restamp(type.table, String(_id), {
      created_ts: base + (at % 4),
      updated_ts: base + (at % 3),
      status_update_date: base + (at % 5),
    });
  }
  made.set(type, recordsIn(ok(await acme.get(type.lists["all"]?.path ?? "", { page_size: 500 }))));
}

/** Returns the values that a filter on this field should match for a record. */
function valuesOf(record: Body, name: string): readonly unknown[] {
  const value = record[name] ?? null;
  if (name === "email_list") return (value as Body[]).map(({ email }) => email);
  if (name === "phone_list") return (value as Body[]).map(({ phone }) => phone);
  return Array.isArray(value) ? value : [value];
}

for (const { type, listing } of LISTS) {
  const records = made.get(type) ?? [];
  test(`${listing.path} filters on each of its fields`, async () => {
    for (const name of listing.filter) {
      const values = new Set(records.flatMap((record) => valuesOf(record, name)));
      assert.ok(values.size > 0, name);
      for (const value of values) {
        const found = recordsIn(
          ok(await acme.get(listing.path, { match_filter_dict: { [name]: value } })),
        );
        const expected = records.filter((record) => valuesOf(record, name).includes(value));
        assert.deepEqual(
          idsOf(found).toSorted(),
          idsOf(expected).toSorted(),
          `${name} ${String(value)}`,
        );
      }
    }
  });

  test(`${listing.path} sorts by each of its keys, in both directions`, async () => {
    for (const name of sortColumns(type, listing).keys()) {
      for (const direction of [1, -1] as const) {
        const found = recordsIn(
          ok(await acme.get(listing.path, { sort_dict: { [name]: direction } })),
        );
        assert.deepEqual(idsOf(found), idsOf(sorted(records, { [name]: direction })), name);
      }
    }
  });

  test(`${listing.path} sorts by several keys, ties in the direction of the last`, async () => {
    const names = [...sortColumns(type, listing).keys()].filter((name) => name !== "_id");
    for (const [at, first] of names.entries()) {
      const second = names[(at + 1) % names.length] ?? first;
      for (const sort of [
        { [first]: 1, [second]: -1 },
        { [first]: -1, [second]: 1 },
      ] as const) {
        const found = recordsIn(ok(await acme.get(listing.path, { sort_dict: sort })));
        assert.deepEqual(idsOf(found), idsOf(sorted(records, sort as never)), JSON.stringify(sort));
      }
    }
  });
}

const SQL_TYPES = {
  text: ["text"],
  id: ["text"],
  number: ["numeric", "bigint"],
  flag: ["boolean"],
  texts: ["ARRAY"],
  emails: ["ARRAY"],
  phones: ["ARRAY"],
} as const;

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`the table of a ${type.name} has the columns that its description asks for`, async () => {
    const rows = await api.sql`
      select column_name, data_type, collation_name from information_schema.columns
       where table_schema = 'public' and table_name = ${type.table}`;
    const found = new Map(rows.map((row) => [row["column_name"] as string, row]));
    for (const { name, kind } of storedColumns(type)) {
      const row = found.get(name);
      assert.ok((SQL_TYPES[kind] as readonly unknown[]).includes(row?.["data_type"]), name);
      // The "C" collation compares strings by code point. Any other collation would sort them in a different order.
      if (row?.["data_type"] === "text") assert.equal(row["collation_name"], "C", name);
    }
    const own = "tenant_id id body internal created_ts updated_ts status_update_date version";
    const known = [...own.split(" "), ...storedColumns(type).map(({ name }) => name)];
    assert.deepEqual([...found.keys()].toSorted(), [...new Set(known)].toSorted());
  });

  test(`an index exists for each field that a ype.name} is filtered or sorted by`, async () => {
    const rows = await api.sql`select indexdef from pg_indexes where tablename = ${type.table}`;
    const definitions = rows.map(({ indexdef }) => String(indexdef));
    const stamps = ["created_ts", "updated_ts", "status_update_date"];
    for (const name of [...filterColumns(type).map((column) => column.name), ...stamps]) {
      // Tags have a separate index, which finds records with a rare tag without reading all of the tenant's records.
      const led = new RegExp(`\\((tenant_id, )?${name}\\b`);
      assert.ok(
        definitions.some((definition) => led.test(definition)),
        name,
      );
    }
  });

  test(`the columns of a ${type.name} have the values of its body`, async () => {
    const rows = await api.sql`select * from ${api.sql(type.table)}`;
    assert.ok(rows.length >= RECORDS);
    for (const row of rows) {
      const body = row["body"] as Body;
      for (const { name, kind } of storedColumns(type)) {
        const value = body[name] ?? null;
        const told =
          kind === "emails" || kind === "phones"
            ? (value as Body[]).map(({ email, phone }) =>
                email === undefined ? phone : String(email).toLowerCase(),
              )
            : value;
        const column = row[name] as unknown;
        assert.deepEqual(
          kind === "number" && column !== null ? Number(column) : column,
          told,
          name,
        );
      }
      for (const stamp of ["created_ts", "updated_ts", "status_update_date", "version"]) {
        assert.equal(Number(row[stamp]), body[stamp], stamp);
      }
      assert.equal(columnOf(type, "_id")?.name, "id");
      assert.equal(row["id"], body["_id"]);
    }
  });
}

test("texts with special characters of array literals are found as they are", async () => {
  const tags = ['a"b', "c\\d", "{e},f", "NULL", " g ", "ü'h", "tab\there"];
  const { _id } = ok(await acme.post("/crm/leads", { name: "Tagged", tags })).body;
  for (const tag of tags) {
    const match_filter_dict = JSON.stringify({ tags: tag });
    const found = recordsIn(ok(await acme.get("/crm/leads", { match_filter_dict })));
    assert.deepEqual(
      found.map((lead) => lead["_id"]),
      [_id],
      tag,
    );
  }
});
