/** Copying tables over one connection: errors at the end of a copy, and readers that are slower than the database. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import test from "node:test";
import { openCopyIn, openCopyOut } from "../../src/platform/database/index.ts";
import { migratedDatabase } from "../kit/database.ts";
import { WITHIN_ms } from "../kit/eventually.ts";
import { file, openSession } from "../kit/started.ts";

const MAX = { timeout: WITHIN_ms };
const { url } = await migratedDatabase(file);

test("a copy that fails at its end returns the error", MAX, async (t) => {
  const db = openSession(t, url);
  await db`create table numbers (i integer primary key)`;
  const rows = await openCopyIn(db, "copy numbers from stdin");
  await assert.rejects(pipeline(Readable.from(["1\n1\n"]), rows), /duplicate key value/);
  assert.equal((await db`select from numbers`).count, 0);
});

test(
  "a statement after a copy runs, also if the reader was slower than the last rows",
  MAX,
  async (t) => {
    const db = openSession(t, url);
    const rows = openCopyOut(
      db,
      "copy (select repeat('x', 1000) from generate_series(1, 2000)) to stdout",
    );
    let bytes = 0;
    await pipeline(rows, async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        bytes += chunk.length;
        await new Promise((done) => setImmediate(done));
      }
    });
    assert.equal(bytes, 2000 * 1001);
    const [row] = await db`select 1 as one`;
    assert.equal(row?.["one"], 1);
  },
);
