/**
 * Files are streamed: the memory that an import or an export takes does not grow with the file
 * (D10.1). TEST_LONG=1 tries it with ten times as many rows, a gigabyte.
 */

import assert from "node:assert/strict";
import http from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import type { Client } from "../kit/api.ts";
import { sharedApi } from "../conformance/shared-api.ts";
import { prepare } from "./sending.ts";

const api = await sharedApi();

const ROWS = process.env["TEST_LONG"] === undefined ? 20_000 : 200_000;
/** Five kilobytes that nobody takes, and 200 characters that are kept. */
const SURPLUS = "s".repeat(5000);
const KEPT = "k".repeat(200);
/** Rows that warm up: V8 lets its heap grow to a few hundred megabytes before it cleans in earnest. */
const WARM = 10_000;
/** Less than the smaller of the two files has. */
const GROWTH_MAX_bytes = 80 * 1024 * 1024;

function* file(rows: number) {
  yield "name,comments,surplus\n";
  for (let at = 0; at < rows; at += 20) {
    const rows = Array.from({ length: 20 }, (_, i) => `Lead ${at + i},${KEPT},${SURPLUS}\n`);
    yield rows.join("");
  }
}

/** Runs `work`; by how much the process grew meanwhile at most. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  await work();
  clearInterval(timer);
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
  const response = await new Promise<http.IncomingMessage>((resolve) => {
    http.get(url, { headers }, resolve);
  });
  let lines = 0;
  for await (const chunk of response) {
    for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
  }
  return lines;
}

test(`${ROWS} rows go in and out in constant memory`, async () => {
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
