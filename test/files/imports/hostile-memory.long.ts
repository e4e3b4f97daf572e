/**
 * Four of the worst files at the same time, sent to a real process: it stays alive, uses little memory, and serves
 * other requests.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isAlive, settings, startLeadport, tokenOf } from "../../running/leadport.ts";

const MIB = 1024 * 1024;
const RSS_MAX_bytes = 1024 * MIB;
const FILE_MIB = 24;

const wide = Array.from({ length: 2000 }, (_, at) => `c${at}`).join();
const texts = (count: number) => Array.from({ length: count }, () => "x".repeat(MIB)).join();
/** The first line of each file, and the row that is repeated after it. */
const FILES: Readonly<Record<string, readonly [string, string]>> = {
  "2,000 columns": [`name,${wide.slice(0, wide.lastIndexOf(","))}\n`, `a${",b".repeat(1999)}\n`],
  "NDJSON rows of 4 MB": [
    '{"name":"a"}\n',
    `{"name":"a","tags":[${`{"n":"${"x".repeat(150)}"},`.repeat(24_900)}{}]}\n`,
  ],
  "cells of 1 MiB": ["name,comments,a,b\n", `a,${texts(3)}\n`],
  'lines """': ["name,email\n", '"""\n'],
};

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

test("four hostile imports at once neither end the process nor stop others", async (t) => {
  // The loop of reads below would exceed the default rate limit on a fast machine.
  const env = { ...settings(t), RATE_LIMIT: "off" };
  const { base, pid } = await startLeadport(t, { env });
  const headers = {
    authorization: `Bearer ${tokenOf(env.DATA_DIR)}`,
    "content-type": "application/json",
  };
  let isOver = false;
  const waits_ms: number[] = [];
  const reading = (async () => {
    while (!isOver) {
      const from_ms = performance.now();
      const response = await fetch(`${base}/crm/leads?page_size=1`, { headers });
      await response.arrayBuffer();
      assert.equal(response.status, 200);
      waits_ms.push(performance.now() - from_ms);
    }
  })();
  const importing = Object.entries(FILES).map(async ([name, [first, row]]) => {
    const format = first.startsWith("{") ? { format: "ndjson" } : { delimiter: "," };
    const body = JSON.stringify({ type: "leads", ...format });
    const prepared = await fetch(`${base}/crm/imports`, { method: "POST", headers, body });
    const { id } = (await prepared.json()) as { readonly id: string };
    const rows = Math.ceil((FILE_MIB * MIB) / row.length);
    const sent = await fetch(`${base}/crm/imports/${id}/data`, {
      method: "PUT",
      headers: { ...headers, "content-type": "text/plain" },
      body: first + row.repeat(name.startsWith("lines") ? MIB / row.length : rows),
    });
    return `${name}: ${sent.status} ${(await sent.text()).slice(0, 300)}`;
  });
  const started_ms = performance.now();
  const done = await Promise.all(importing);
  const lasted_ms = performance.now() - started_ms;
  isOver = true;
  await reading;
  const longest_ms = Math.round(Math.max(...waits_ms));
  const peak_mib = Math.round(peakOf(pid) / MIB);
  t.diagnostic(`longest list ${longest_ms} ms of ${waits_ms.length}, peak ${peak_mib} MiB`);
  assert.ok(isAlive(pid));
  for (const outcome of done) assert.match(outcome, /: 200 /);
  assert.ok(peakOf(pid) < RSS_MAX_bytes, `${peak_mib} MiB`);
  // Other requests were served throughout, and none waited long compared with the imports.
  assert.ok(waits_ms.length > 10, `${waits_ms.length} lists`);
  assert.ok(longest_ms < lasted_ms / 3, `${longest_ms} ms of ${Math.round(lasted_ms)} ms`);
});
