/**
 * Tests the CSV and NDJSON readers with random text and prints the seed on failure. The readers never throw, account
 * for every line, give the same result however the text is chunked, and agree with csv-parse and JSON.parse on
 * well-formed text. `npm run test:long` tries more than a million samples.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { CsvReader, type CsvRecord } from "../../../src/files/read/csv.ts";
import type { Dialect } from "../../../src/files/read/csv-line.ts";
import { isJson } from "../../../src/files/read/json-check.ts";
import { readAll } from "../../../src/files/read/lines.ts";
import { NdjsonReader } from "../../../src/files/read/ndjson.ts";
import { isUnreadable } from "../../../src/files/read/rows.ts";
import { isLong } from "../../kit/long.ts";
import {
  badCsv,
  badJson,
  badNdjson,
  chunksOf,
  dialectOf,
  goodCsv,
  randomOf,
} from "./hostile-text.ts";

const CASES = isLong ? 300_000 : 2_000;

function recordsOf(chunks: readonly string[], dialect: Dialect): readonly CsvRecord[] {
  const reader = new CsvReader(dialect);
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()];
}

/** Asserts that every line is either blank or an unchanged part of exactly one record. */
function assertAccounts(records: readonly CsvRecord[], text: string, { lineEnd }: Dialect): void {
  const lines = text.split(lineEnd);
  const trim = (line: string) => (lineEnd === "\n" ? line.replace(/\r$/, "") : line);
  let next = 0;
  for (const { line, raw } of records) {
    while (next < line - 1) assert.equal(trim(lines[next++] ?? "none"), "");
    const own = raw.split(lineEnd);
    const found = lines.slice(next, next + own.length).join(lineEnd);
    assert.ok(found === raw || trim(found) === raw, JSON.stringify({ line, raw, found }));
    next += own.length;
  }
  assert.equal(lines.slice(next).map(trim).join(""), "");
}

function forSeeds(check: (seed: number) => void | Promise<void>) {
  return async () => {
    for (let seed = 1; seed <= CASES; seed += 1) {
      try {
        await check(seed);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  };
}

test(
  "CSV with stray quotes loses no line, however it is cut",
  forSeeds((seed) => {
    const random = randomOf(seed);
    const dialect = dialectOf(random);
    const text = badCsv(random, dialect);
    const records = recordsOf(chunksOf(random, text), dialect);
    assertAccounts(records, text, dialect);
    for (const record of records) assert.ok("cells" in record !== "reason" in record);
    assert.deepEqual(recordsOf(chunksOf(random, text), dialect), records);
  }),
);

test(
  "well-formed CSV is read as csv-parse reads it",
  forSeeds((seed) => {
    const random = randomOf(seed);
    const dialect = dialectOf(random);
    const { rows, text } = goodCsv(random, dialect);
    const records = recordsOf(chunksOf(random, text), dialect);
    assertAccounts(records, text, dialect);
    const read = records.map((record) => ("cells" in record ? record.cells : record.reason));
    assert.deepEqual(read, rows);
    const options = {
      delimiter: dialect.delimiter,
      record_delimiter: dialect.lineEnd === "\r" ? ["\r"] : ["\r\n", "\n"],
    };
    assert.deepEqual(read, parse(text, options));
  }),
);

test(
  "NDJSON accounts for every line and agrees with JSON.parse",
  forSeeds(async (seed) => {
    const random = randomOf(seed);
    const text = badNdjson(random);
    const read: unknown[] = [];
    const source = (async function* () {
      yield* chunksOf(random, text);
    })();
    for await (const rows of readAll(source, new NdjsonReader())) {
      for (const row of rows) {
        read.push([row.line, isUnreadable(row) ? undefined : Object.fromEntries(row.cells)]);
      }
    }
    const lines = text.split("\n").map((line, at) => [at + 1, line] as const);
    const expected = lines
      .filter(([, line]) => line.trim() !== "")
      .map(([at, line]) => [at, objectIn(line)]);
    assert.equal(JSON.stringify(read), JSON.stringify(expected));
  }),
);

test(
  "the check of short JSON accepts what JSON.parse accepts, and nothing else",
  forSeeds((seed) => {
    const text = badJson(randomOf(seed));
    assert.equal(isJson(text), isParsed(text), JSON.stringify(text));
  }),
);

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the object in a line, or undefined if the line contains no object or if the object is long and nested too
 * deeply.
 */
function objectIn(line: string): object | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return line.length > 1000 ? undefined : Object.fromEntries(Object.entries(value));
  } catch {
    return undefined;
  }
}
