/**
 * Four of the largest batches at once, sent to a real process: it survives, its memory stays
 * limited, and it serves other requests.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { installed, isAlive, startLeadport, tokenOf } from "../leadport.ts";

const MIB = 1024 * 1024;
const RSS_MAX_bytes = 1024 * MIB;

/** The largest possible batches: millions of objects in one item, objects in many items, and items with long texts. */
const BATCHES: Readonly<Record<string, string>> = {
  "one item of five million objects": `{"items":[{"tags":[${"{},".repeat(5_000_000)}{}]}]}`,
  "a thousand items of 1,490 objects": `{"items":[${Array.from({ length: 1000 }, () => `{"tags":[${"{},".repeat(1490)}{}]}`).join()}]}`,
  "a thousand valid items of 16 kB": `{"items":[${Array.from({ length: 1000 }, (_, at) => `{"name":"Lead ${at}","notes":"${"x".repeat(15_000)}"}`).join()}]}`,
  "a thousand items of long texts": `{"items":[${Array.from({ length: 1000 }, () => `{"nothing":"${"x".repeat(16_000)}"}`).join()}]}`,
};

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

test("four of the largest batches at once neither end the process nor stop others", async (t) => {
  // The loop of reads below would exceed the default rate limit on a fast machine.
  const env = { ...(await installed(t)), RATE_LIMIT: "off" };
  const { base, pid } = await startLeadport(t, { env });
  const headers = {
    authorization: `Bearer ${tokenOf(env.DATA_DIR)}`,
    "content-type": "application/json",
  };
  for (const [what, body] of Object.entries(BATCHES)) {
    let isOver = false;
    const waits_ms: number[] = [];
    const reading = (async () => {
      while (!isOver) {
        const from_ms = performance.now();
        const answer = await fetch(`${base}/crm/leads?page_size=1`, { headers });
        await answer.arrayBuffer();
        assert.equal(answer.status, 200);
        waits_ms.push(performance.now() - from_ms);
      }
    })();
    const sent = Array.from({ length: 4 }, async () => {
      const answer = await fetch(`${base}/crm/leads/batch`, { method: "POST", headers, body });
      await answer.arrayBuffer();
      return answer.status;
    });
    const statuses = await Promise.all(sent);
    isOver = true;
    await reading;
    const longest_ms = Math.round(Math.max(...waits_ms));
    const peak_mib = Math.round(peakOf(pid) / MIB);
    t.diagnostic(
      `${what}: ${statuses.join()}, longest list ${longest_ms} ms, peak ${peak_mib} MiB`,
    );
    assert.ok(isAlive(pid));
    assert.ok(
      statuses.every((status) => [207, 413].includes(status)),
      statuses.join(),
    );
    assert.ok(peakOf(pid) < RSS_MAX_bytes, `${what}: ${peak_mib} MiB`);
  }
});
