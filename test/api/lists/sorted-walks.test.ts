/** Every sort order of every list, paged by cursor: together, the pages are the whole list in the right order. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { fileApi } from "../../kit/file-api.ts";
import { LISTS, makeReferable, ok, partialBody, recordsIn, type Body } from "../samples.ts";
import { idsOf, sorted, walk, type Sort } from "./sorting.ts";
import { sortColumns } from "../../../src/records/columns/columns.ts";

/** These tests send more than 5,000 requests with one token, on a fast machine within a minute. */
const api = await fileApi({ rateLimit: 0 });
const acme = await api.tenant();
const refs = await makeReferable(acme);
/**
 * `partialBody` uses three values per field and omits some fields. With this many records, every sort key has ties and
 * nulls.
 */
const RECORDS = 11;
const PAGE_SIZE = 4;

for (const type of Object.values(BUILT_IN_TYPES)) {
  for (let seed = 0; seed < RECORDS; seed++) {
    const body = partialBody(type, seed, refs);
    // Sample bodies omit fields that mirror another field. Set these flags here: true for half of the records and false
    // for the rest.
    const flags = Object.entries(type.fields)
      .filter(([, { kind }]) => kind === "flag")
      .map(([name]): [string, boolean] => [name, seed % 2 === 0]);
    const mirrored = new Set(
      flags.flatMap(([name]) => {
        const derived = type.derived[name];
        return derived?.kind === "mirror" ? [derived.field] : [];
      }),
    );
    const rest = Object.entries(body).filter(([name]) => !mirrored.has(name));
    ok(
      await acme.post(type.writePath, {
        ...Object.fromEntries(rest),
        ...Object.fromEntries(flags),
      }),
    );
  }
  const rows = await api.sql`
    select id from ${api.sql(type.table)} where tenant_id = ${acme.tenantId} order by id`;
  const base = Math.floor(Date.now() / 1000) - 600;
  for (const [at, { id }] of rows.entries()) {
    await api.restamp(type.table, String(id), {
      created_ts: base + (at % 4),
      updated_ts: base + (at % 3),
      status_update_date: base + (at % 5),
    });
  }
}

const DIRECTIONS = [1, -1] as const;

/** Returns sort orders in both directions: each key alone, and each key as the tiebreaker for another key. */
function sortsOf(names: readonly string[]): readonly Sort[] {
  return names.flatMap((name, at) => {
    const others = names.filter((other) => other !== name && other !== "_id");
    const first = others[at % others.length] as string;
    return [
      ...DIRECTIONS.map((direction) => ({ [name]: direction })),
      ...DIRECTIONS.flatMap((one) => DIRECTIONS.map((other) => ({ [first]: one, [name]: other }))),
    ];
  });
}

for (const { type, listing } of LISTS) {
  const sorts = sortsOf([...sortColumns(type, listing).keys()]);

  test(`${listing.path} paged by cursor is the whole list, in each of ${sorts.length} orders`, async () => {
    const { path } = listing;
    const all = recordsIn(ok(await acme.get(path, { page_size: 500 })));
    assert.ok(all.length >= RECORDS);
    for (const sort_dict of sorts) {
      const told = JSON.stringify(sort_dict);
      const expected = idsOf(sorted(all, sort_dict));
      const pages = { page_size: PAGE_SIZE, sort_dict };
      const pagesMax = Math.ceil(all.length / PAGE_SIZE);
      assert.deepEqual(idsOf(await walk(acme, path, pages, { pagesMax })), expected, told);
      const unpaged = { sort_dict, ...(listing.windowHours === undefined && { page_size: 500 }) };
      assert.deepEqual(idsOf(recordsIn(ok(await acme.get(path, unpaged)))), expected, told);
    }
  });
}

test("the orders contain ties, nulls and both values of each flag", async () => {
  const seen = new Set<string>();
  for (const { type, listing } of LISTS) {
    const all: Body[] = recordsIn(ok(await acme.get(listing.path, { page_size: 500 })));
    for (const [name, { kind }] of sortColumns(type, listing)) {
      const values = all.map((record) => record[name] ?? null);
      if (new Set(values).size < values.length) seen.add(`${kind} ties`);
      if (values.includes(null)) seen.add(`${kind} null`);
      if (kind === "flag") for (const value of values) seen.add(`flag ${String(value)}`);
    }
  }
  const wanted = ["flag false", "flag true", "number null", "text null", "id null"];
  const ties = ["text", "number", "flag", "id"].map((kind) => `${kind} ties`);
  for (const one of [...wanted, ...ties]) assert.ok(seen.has(one), one);
});
