/** The limits on files: parts that exceed a limit are rejected with a reason, and everything else is read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CsvReader } from "../../../src/files/read/csv.ts";
import {
  FileError,
  isUnreadable,
  openRows,
  type OpenOptions,
} from "../../../src/files/read/rows.ts";
import { endsInTime } from "../../kit/time-guard.ts";
import { gather } from "./gather.ts";

const MiB = 1024 * 1024;

async function read(text: string, options: OpenOptions = {}) {
  const source = (async function* () {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  })();
  const { rows } = await openRows(source, options);
  return (await gather(rows)).flat();
}

/** Returns an object with an entry for each line: the reason why it was rejected, or "read". */
async function outcomes(text: string, options?: OpenOptions) {
  const rows = await read(text, options);
  return Object.fromEntries(rows.map((row) => [row.line, isUnreadable(row) ? row.reason : "read"]));
}

const columns = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(",");
/** Builds a row with `count` members and elements in total. */
const members = (count: number) => `{"tags":[${"{},".repeat(count - 2)}{}]}`;

test("a file with more than 2,000 columns is rejected, one with 2,000 is read", async () => {
  assert.equal((await read(`${columns(2000)}\n1,2\n`)).length, 1);
  await assert.rejects(read(`${columns(2001)}\n1,2\n`), /more than 2000 columns/);
  await assert.rejects(read(`${",".repeat(500_000)}\n1,2\n`), FileError);
});

test("column names of more than 256 KiB together are rejected", () =>
  assert.rejects(read(`${"n".repeat(300 * 1024)},b\n1,2\n`), /256 KiB/));

test("a row with 2,000 empty cells too many is the only one rejected", async () => {
  assert.deepEqual(await outcomes(`a,b\n1,${",".repeat(3000)}\n1,2\n`), {
    2: "more than 2000 cells",
    3: "read",
  });
});

test("a cell of more than 1 MiB rejects only its row", async () => {
  const found = await outcomes(`a,b\n1,${"x".repeat(MiB)}\n2,${"x".repeat(MiB + 1)}\n3,y\n`);
  assert.deepEqual(found, { 2: "read", 3: "a cell of the row is longer than 1 MiB", 4: "read" });
});

test("a quoted cell of more than 1 MiB over several lines rejects its first line", async () => {
  const found = await outcomes(`a,b\n1,"x\n${"y".repeat(MiB)}\nz"\n2,b\n`);
  assert.deepEqual(found, {
    2: "a quote is opened but not closed",
    3: "read",
    4: "read",
    5: "read",
  });
});

test("a row of more than 4 MiB is the only one rejected, in both formats", async () => {
  const cell = "x".repeat(MiB - 10);
  const row = [cell, cell, cell, cell, "y".repeat(100)].join(",");
  assert.deepEqual(await outcomes(`a,b,c,d,e\n${row}\n1,2,3,4,5\n`), {
    2: "the row is longer than 4 MiB",
    3: "read",
  });
  const member = JSON.stringify({ a: cell, b: cell, c: cell, d: cell, e: "y".repeat(100) });
  assert.deepEqual(await outcomes(`{"a":1}\n${member}\n{"a":2}\n`), {
    1: "read",
    2: "the row is longer than 4 MiB",
    3: "read",
  });
});

test("an NDJSON row with more than 50,000 members and elements is the only one rejected", async () => {
  assert.deepEqual(await outcomes(`{"a":1}\n${members(50_000)}\n${members(50_001)}\n{"a":2}\n`), {
    1: "read",
    2: "read",
    3: "more than 50000 members and elements",
    4: "read",
  });
});

test("an NDJSON row nested a million levels deep is the only one rejected", async () => {
  const deep = `{"a":${"[".repeat(MiB)}${"]".repeat(MiB)}}`;
  const found = await outcomes(`{"a":1}\n${deep}\n{"a":2}\n`);
  assert.deepEqual(Object.keys(found), ["1", "2", "3"]);
  assert.match(found[2] ?? "", /members|levels/);
  assert.equal(found[3], "read");
});

for (const [name, line] of [
  ["three quotes", '"""'],
  ["an open quote", '"a'],
  ["a closing and an opening quote", 'a","b'],
  ["one quote", '"'],
] as const) {
  test(`a file in which every line has ${name} does not take quadratic time`, () => {
    const lines = Math.floor((512 * 1024) / (line.length + 1));
    const text = `a,b\n${`${line}\n`.repeat(lines)}1,2\n`;
    const records = endsInTime(name, () => {
      const reader = new CsvReader({ delimiter: ",", lineEnd: "\n" });
      return [...reader.read(text), ...reader.end()];
    });
    assert.equal(records.at(-1)?.line, lines + 2);
  });
}
