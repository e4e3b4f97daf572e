/** Exports with slow readers: the export finishes at full speed, and the reader receives the rest from a file. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { ExportTurns } from "../../../src/files/exports/export-turns.ts";
import { sendBytes } from "../../../src/files/exports/send-bytes.ts";
import { Spool } from "../../../src/files/spool/temporary-files.ts";
import { eventually } from "../../kit/eventually.ts";
import { folder } from "../../running/leadport.ts";

const PIECE = 100 * 1024;
const STALL_ms = 60_000;
const numbered = (at: number) => `${at}:`.padEnd(PIECE, "x");

/** Returns text in pieces, with a record of how many were read and whether reading has ended. */
function source(pieces: number) {
  const state = { given: 0, isEnded: false };
  async function* text(): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < pieces; at += 1) {
        state.given += 1;
        yield Buffer.from(numbered(at));
      }
    } finally {
      state.isEnded = true;
    }
  }
  return { state, text: text() };
}

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from("started");
  throw new Error("gone");
}

const whole = (pieces: number): string =>
  Array.from({ length: pieces }, (_, at) => numbered(at)).join("");

function spoolIn(t: TestContext, max_bytes: number, hasSpace = () => true) {
  const warnings: unknown[] = [];
  const path = join(folder(t), "exports");
  const log = { warn: (...given: unknown[]) => void warnings.push(given) };
  const options = { folder: path, max_bytes, hasSpace, log: log as never };
  return { path, warnings, spool: new Spool(options) };
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

test("the source of a slow reader is completed before the reader is", async (t) => {
  const { path, spool } = spoolIn(t, 1e9);
  const { state, text } = source(100);
  const stream = sendBytes(text, { spool, stall_ms: STALL_ms });
  stream.read(0);
  await eventually(
    () => state.isEnded,
    (isEnded) => isEnded,
  );
  assert.deepEqual(readdirSync(path), []);
  assert.equal(await textOf(stream), whole(100));
  assert.ok(spool.reserve(1e9), "the space is free again");
});

test("without space in the spool the source waits, and nothing is lost", async (t) => {
  const { spool } = spoolIn(t, 5 * PIECE);
  const { state, text } = source(60);
  const stream = sendBytes(text, { spool, stall_ms: STALL_ms });
  stream.read(0);
  await eventually(
    () => state.given,
    (given) => given > 5,
  );
  assert.equal(state.isEnded, false);
  assert.equal(await textOf(stream), whole(60));
  assert.ok(spool.reserve(5 * PIECE));
});

test("while the database's disk is full nothing more is stored", (t) => {
  let isFull = false;
  const { spool } = spoolIn(t, 10, () => !isFull);
  assert.equal(spool.reserve(5), true);
  isFull = true;
  assert.equal(spool.reserve(5), false);
  isFull = false;
  assert.equal(spool.reserve(5), true);
});

test("a folder that accepts no files is logged, and the source waits", async (t) => {
  const { path, spool, warnings } = spoolIn(t, 1e9);
  writeFileSync(path, "not a folder");
  const { text } = source(30);
  const stream = sendBytes(text, { spool, stall_ms: STALL_ms });
  stream.read(0);
  await eventually(
    () => warnings.length,
    (count) => count === 1,
  );
  assert.equal(await textOf(stream), whole(30));
});

test("a fast reader needs no file", async (t) => {
  const { path, spool } = spoolIn(t, 1e9);
  assert.equal(await textOf(sendBytes(source(50).text, { spool, stall_ms: STALL_ms })), whole(50));
  assert.throws(() => readdirSync(path), /ENOENT/);
});

for (const hasFile of [true, false]) {
  test(`a reader that leaves ends the source, ${hasFile ? "with" : "without"} a file`, async (t) => {
    const { spool } = spoolIn(t, 10 * PIECE);
    const { state, text } = source(1000);
    const options = { spool: hasFile ? spool : undefined, stall_ms: STALL_ms };
    const stream = sendBytes(text, options);
    stream.read(0);
    await eventually(
      () => state.given,
      (given) => given > (hasFile ? 10 : 1),
    );
    stream.destroy();
    await eventually(
      () => state.isEnded && spool.reserve(10 * PIECE),
      (isFree) => isFree,
    );
  });
}

test("a reader that reads nothing for too long is cut off while it is sent a file", async (t) => {
  const { spool } = spoolIn(t, 1e9);
  const { text } = source(100);
  const stream = sendBytes(text, { spool, stall_ms: 1500 });
  stream.read(0);
  const [error] = (await once(stream, "error")) as [Error];
  assert.match(error.message, /client stopped reading the export/);
});

test("an error of the source destroys the stream", async (t) => {
  const { spool } = spoolIn(t, 1e9);
  await assert.rejects(textOf(sendBytes(failing(), { spool, stall_ms: STALL_ms })), /gone/);
});

test("turns go to a tenant without a running export first, and never to a client that has disconnected", async () => {
  const turns = new ExportTurns();
  const started: string[] = [];
  const take = async (tenant: string, name: string, signal?: AbortSignal) => {
    const end = await turns.take(tenant, signal);
    started.push(name);
    return end;
  };
  const a1 = take("acme", "a1");
  const a2 = take("acme", "a2");
  const a3 = take("acme", "a3");
  const leaving = new AbortController();
  const a4 = take("acme", "a4", leaving.signal);
  const b1 = take("rival", "b1");
  (await a1)();
  const endB = await b1;
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  leaving.abort();
  await assert.rejects(a4);
  (await a2)();
  const endA = await a3;
  assert.deepEqual(started, ["a1", "a2", "b1", "a3"]);
  endA();
  endB();
  await assert.rejects(take("acme", "late", AbortSignal.abort()));
  (await take("acme", "again"))();
});
