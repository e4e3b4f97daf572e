/** Files are streamed: the memory used by an import or an export does not grow with the file, which is a gigabyte here. */

import assert from "node:assert/strict";
import http from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { prepare } from "../imports/sending.ts";

const api = await sharedApi();

const ROWS = 200_000;
/** Each row contains 3 kB that are not imported and 2 kB that are stored. */
const SURPLUS = "s".repeat(3000);
const KEPT = "k".repeat(2000);
/** Rows for a warm-up import and export, which compile the code and fill caches and pools. */
const WARM = 5_000;
/** Enough for all buffers, whatever the number of rows. The files are 1 GB and 600 MB in size. */
const GROWTH_MAX_bytes = 48 * 1024 * 1024;
const LOOK_EVERY_MS = 400;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Returns the memory in use. The process's total size would depend on when garbage is collected. */
function held_bytes(): number {
  // The first call frees its buffers in the background. The second call waits for that.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function* file(rows: number) {
  yield "name,comments,surplus\n";
  for (let at = 0; at < rows; at += 20) {
    const rows = Array.from({ length: 20 }, (_, i) => `Lead ${at + i},${KEPT},${SURPLUS}\n`);
    yield rows.join("");
  }
}

/** Runs `work` and returns the peak of the additional memory in use. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = held_bytes();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, held_bytes());
  }, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    // After a failure, the timer would keep the process running forever.
    clearInterval(timer);
  }
  return most - before;
}

async function send(acme: Client, rows: number): Promise<string> {
  const id = await prepare(acme, "leads");
  const request = http.request(`${acme.url}/crm/imports/${id}/data`, {
    method: "PUT",
    headers: { authorization: `Bearer ${acme.bearer}` },
  });
  const answered = new Promise<number>((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  await pipeline(Readable.from(file(rows)), request);
  assert.equal(await answered, 200);
  return id;
}

async function countLines(acme: Client): Promise<number> {
  const url = `${acme.url}/crm/leads/export?format=ndjson`;
  const headers = { authorization: `Bearer ${acme.bearer}` };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(url, { headers }, resolve).once("error", reject);
  });
  let lines = 0;
  for await (const chunk of response) {
    for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
  }
  return lines;
}

test(`${ROWS} rows are imported and exported in constant memory`, async () => {
  const acme = await api.tenant();
  await send(await api.tenant(), WARM);
  let id = "";
  const sending = await growthOf(async () => {
    id = await send(acme, ROWS);
  });
  assert.equal((await acme.get(`/crm/imports/${id}`)).body.created, ROWS);
  assert.ok(sending < GROWTH_MAX_bytes, `an import grew by ${sending} bytes`);
  let lines = 0;
  const reading = await growthOf(async () => {
    lines = await countLines(acme);
  });
  assert.equal(lines, ROWS);
  assert.ok(reading < GROWTH_MAX_bytes, `an export grew by ${reading} bytes`);
});
