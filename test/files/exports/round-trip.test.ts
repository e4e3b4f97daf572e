/** Records with unusual strings stay unchanged when they are exported and imported into another tenant over HTTP. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../../../src/files/read/write-rows.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { parseRfc4180 } from "../../kit/rfc4180.ts";
import { assertSame, fillOddly, ORDERED_TYPES, pathOf } from "./round-trips.ts";
import { assertCounts, importFile, recordsOf } from "../imports/sending.ts";

const api = await sharedApi();
const seed = Math.floor(Math.random() * 2 ** 31);
const acme = await api.tenant();
await fillOddly(acme, seed);
test.before(() => console.log(`seed ${seed}`));

/** Formats a value as the cell described in docs/files.md. */
function cellOf(value: unknown, isFree: boolean): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" && !(isFree && isParsed(value)) ? value : JSON.stringify(value);
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

for (const type of ORDERED_TYPES) {
  test(`every ${type.name} is in the CSV file unchanged, by RFC 4180`, async () => {
    const file = await acme.get(`${pathOf(type)}/export`);
    const [names = [], ...rows] = parseRfc4180(file.text);
    assert.deepEqual(names, columnsOf(type));
    const records = (await recordsOf(acme, pathOf(type))).toReversed();
    assert.deepEqual(
      rows,
      records.map((record) =>
        names.map((name) => cellOf(record[name], type.fields[name]?.kind === "free")),
      ),
    );
  });
}

const FORMS: Readonly<Record<string, readonly [query: object, options: object]>> = {
  CSV: [{ format: "csv" }, {}],
  "CSV for a spreadsheet": [{ for: "spreadsheet" }, { spreadsheet: true }],
  NDJSON: [{ format: "ndjson" }, { format: "ndjson" }],
};

for (const [form, [query, options]] of Object.entries(FORMS)) {
  test(`records of every type are unchanged after ${form}`, async () => {
    const other = await api.tenant();
    for (const type of ORDERED_TYPES) {
      const file = await acme.get(`${pathOf(type)}/export`, query as never);
      assert.equal(file.status, 200, file.text);
      const given = { external_id: "_id", ...options };
      const { length } = await recordsOf(acme, pathOf(type));
      const done = await importFile(other, type.name, file.text, given);
      assertCounts(done, { rows: length, created: length });
      await assertSame(type, acme, other);
      const again = await importFile(other, type.name, file.text, given);
      assertCounts(again, { rows: length, unchanged: length });
    }
  });
}
