/** The order of PostgreSQL's write-ahead log files, and which of them an archive needs. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { packLog, pruneLog, unpackLog } from "../../src/backup/archive.ts";
import { gapAfter, numberOf, timelineOf } from "../../src/backup/contents/log-files.ts";
import { folder } from "../running/leadport.ts";

const FIRST = "0000000100000000000000FE";
const NEXT = "0000000100000000000000FF";
const CARRIED = "000000010000000100000000";
const OTHER_TIMELINE = "000000020000000100000001";

test("log files follow each other across logs of 4 GB and timelines", () => {
  assert.equal(numberOf(NEXT) + 1n, numberOf(CARRIED));
  assert.equal(timelineOf(OTHER_TIMELINE), 2);
  assert.equal(gapAfter(FIRST, [FIRST, NEXT, CARRIED, OTHER_TIMELINE]), undefined);
  assert.equal(gapAfter(FIRST, [FIRST, CARRIED]), numberOf(NEXT));
  assert.equal(gapAfter(FIRST, [NEXT]), numberOf(FIRST));
  assert.equal(gapAfter(FIRST, []), undefined);
});

test("finished log files are moved into the archive and come back for a recovery", async (t) => {
  const root = folder(t);
  const [spool, archive, log] = ["spool", "wal", "log"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(spool);
  for (const name of [
    FIRST,
    NEXT,
    "00000002.history",
    `${FIRST}.00000028.backup`,
    `${CARRIED}.partial`,
  ]) {
    writeFileSync(join(spool, name), `content of ${name}`);
  }
  assert.equal(await packLog(spool, archive), 3);
  assert.deepEqual(readdirSync(spool), [`${CARRIED}.partial`]);
  assert.deepEqual(
    readdirSync(archive).toSorted(),
    ["00000002.history.gz", `${FIRST}.gz`, `${NEXT}.gz`].toSorted(),
  );
  await unpackLog(archive, log, { first: NEXT, owner: undefined });
  assert.deepEqual(readdirSync(log).toSorted(), ["00000002.history", NEXT].toSorted());
  assert.equal(await pruneLog(archive, NEXT), 1);
  assert.deepEqual(
    readdirSync(archive).toSorted(),
    ["00000002.history.gz", `${NEXT}.gz`].toSorted(),
  );
});

test("a damaged log file ends a restore with its name", async (t) => {
  const root = folder(t);
  const archive = join(root, "wal");
  mkdirSync(archive);
  writeFileSync(join(archive, `${FIRST}.gz`), "not compressed");
  await assert.rejects(
    unpackLog(archive, join(root, "log"), { first: FIRST, owner: undefined }),
    /0000000100000000000000FE\.gz is damaged/,
  );
});
