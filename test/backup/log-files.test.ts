/** The order of PostgreSQL's write-ahead log files, and which of them an archive needs. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { packLog, pruneLog, unpackLog } from "../../src/backup/archive.ts";
import {
  endOfTimeline,
  gapAfter,
  numberOf,
  timelineOf,
} from "../../src/backup/contents/log-files.ts";
import { prune } from "../../src/backup/automatic.ts";
import { folder } from "../running/leadport.ts";
import { MANIFEST_OF_NOTHING } from "./manifests.ts";

const FIRST = "0000000100000000000000FE";
const NEXT = "0000000100000000000000FF";
const CARRIED = "000000010000000100000000";
const OTHER_TIMELINE = "000000020000000100000001";
const RESTORED = "000000020000000100000000";

test("log files follow each other across logs of 4 GB and timelines", () => {
  assert.equal(numberOf(NEXT) + 1n, numberOf(CARRIED));
  assert.equal(timelineOf(OTHER_TIMELINE), 2);
  assert.equal(gapAfter(FIRST, [FIRST, NEXT, CARRIED, OTHER_TIMELINE]), undefined);
  assert.equal(gapAfter(FIRST, [FIRST, CARRIED]), numberOf(NEXT));
  assert.equal(gapAfter(FIRST, [NEXT]), numberOf(FIRST));
  assert.equal(gapAfter(FIRST, []), undefined);
  // The file of the earlier timeline contains changes that were lost in a restore.
  assert.equal(gapAfter(RESTORED, [CARRIED, OTHER_TIMELINE]), numberOf(RESTORED));
});

test("the history of a timeline shows where an earlier one ended", () => {
  const history = "1\t0/FF000148\tno recovery target\n2\t1/5000000\tbefore 2026-12-24\n";
  assert.equal(endOfTimeline(1, history), numberOf(NEXT));
  assert.equal(endOfTimeline(2, history), numberOf("000000020000000100000005"));
  assert.equal(endOfTimeline(3, history), undefined);
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
  mkdirSync(log);
  await unpackLog(archive, log, { first: NEXT, owner: undefined });
  assert.deepEqual(readdirSync(log).toSorted(), ["00000002.history", NEXT].toSorted());
  assert.equal(await pruneLog(archive, NEXT.slice(8)), 1);
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
    unpackLog(archive, root, { first: FIRST, owner: undefined }),
    /0000000100000000000000FE\.gz is damaged/,
  );
});

test("an archived log file is never replaced by a different one of the same name", async (t) => {
  const root = folder(t);
  const spool = join(root, "spool");
  const archive = join(root, "wal");
  mkdirSync(spool);
  writeFileSync(join(spool, FIRST), "content");
  await packLog(spool, archive);
  const archived = readFileSync(join(archive, `${FIRST}.gz`));
  writeFileSync(join(spool, FIRST), "other content");
  await assert.rejects(packLog(spool, archive), /already exists with other contents/);
  assert.deepEqual(readFileSync(join(archive, `${FIRST}.gz`)), archived);
  assert.deepEqual(readdirSync(spool), [FIRST]);
  // The service was killed after it had archived the file, before it removed it from the spool.
  writeFileSync(join(spool, FIRST), "content");
  await packLog(spool, archive);
  assert.deepEqual(readdirSync(spool), []);
});

test("the log files that a backup needs are kept, even if an older backup needs only later ones", async (t) => {
  const root = folder(t);
  const archive = join(root, "wal");
  mkdirSync(archive);
  const names = [FIRST, RESTORED, OTHER_TIMELINE].map((name) => `${name}.gz`);
  for (const name of names) writeFileSync(join(archive, name), "");
  for (const [name, first_wal] of [
    ["20261224T100000Z", OTHER_TIMELINE],
    ["20261225T100000Z", RESTORED],
  ] as const) {
    mkdirSync(join(root, name));
    const manifest = { ...MANIFEST_OF_NOTHING, first_wal };
    writeFileSync(join(root, name, "manifest.json"), JSON.stringify(manifest));
  }
  assert.deepEqual(await prune(root, 2), []);
  assert.deepEqual(readdirSync(archive).toSorted(), names.slice(1).toSorted());
});
