/** PostgreSQL stopped by SIGSTOP under the running service: nothing hangs, and it continues by itself. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../kit/eventually.ts";
import { kill, settings, startLeadport } from "./leadport.ts";

/** The postmaster of a data folder and all its processes. */
function serverOf(dataDir: string): readonly number[] {
  const file = join(dataDir, "postgres/data/postmaster.pid");
  const postmaster = Number(readFileSync(file, "utf8").split("\n")[0]);
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return new RegExp(`^PPid:\\s+${postmaster}$`, "m").test(
          readFileSync(`/proc/${name}/status`, "utf8"),
        );
      } catch {
        return false;
      }
    });
  return [postmaster, ...children.map(Number)];
}

test("while PostgreSQL is stopped, probes respond within a second and waiting requests within 2 s", async (t) => {
  const env = { ...settings(t), DATABASE_CONNECTIONS: "2", RATE_LIMIT: "off" };
  const { base, child } = await startLeadport(t, { env });
  const bearer = readFileSync(join(env.DATA_DIR, "owner-token"), "utf8").trim();
  const get = async (path: string) => {
    const began = performance.now();
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${bearer}` } });
    await response.text();
    return { status: response.status, took_ms: performance.now() - began };
  };
  assert.equal((await get("/crm/leads")).status, 200);
  assert.equal((await get("/readyz")).status, 200);
  const stopped = serverOf(env.DATA_DIR);
  t.after(() => {
    for (const pid of stopped) kill(pid, "SIGCONT");
  });
  for (const pid of stopped) kill(pid, "SIGSTOP");
  // These take the connections; what comes behind them waits for one.
  const sent = Array.from({ length: 2 }, () => get("/crm/leads"));
  const waiting = Array.from({ length: 30 }, () => get("/crm/leads"));
  for (const [path, status] of [
    ["/healthz", 200],
    ["/metrics", 200],
    ["/readyz", 503],
    ["/readyz", 503],
  ] as const) {
    const probe = await get(path);
    assert.equal(probe.status, status, path);
    assert.ok(probe.took_ms < 1200, `${path}: ${probe.took_ms} ms`);
  }
  const late = await Promise.all(waiting);
  assert.deepEqual([...new Set(late.map(({ status }) => status))], [503]);
  const inTime = late.filter(({ took_ms }) => took_ms < 3000);
  // All but those that were sent to the stopped server themselves.
  assert.ok(inTime.length >= 26, JSON.stringify(late));
  assert.deepEqual([...new Set((await Promise.all(sent)).map(({ status }) => status))], [503]);
  for (const pid of stopped) kill(pid, "SIGCONT");
  await eventually(
    () => get("/crm/leads"),
    ({ status }) => status === 200,
  );
  assert.equal(child.exitCode, null);
});
