/** PostgreSQL stopped with SIGSTOP under the running service: nothing hangs, and it continues automatically. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../kit/eventually.ts";
import { childrenOf } from "../../reliability/processes.ts";
import { installed, kill, serverPid, startLeadport, untilReady } from "../leadport.ts";
import { atEnd } from "../../kit/started.ts";

test("while PostgreSQL is stopped every request gets a response, and probes do not wait", async (t) => {
  const env = { ...(await installed(t)), DATABASE_CONNECTIONS: "2" };
  const { base, child } = await startLeadport(t, { env });
  const bearer = readFileSync(join(env.DATA_DIR, "owner-token"), "utf8").trim();
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(base + path, { method, headers, ...sent });
    await response.text();
    return { path, status: response.status };
  };
  const get = (path: string) => send("GET", path);
  const probe = async (path: string, status: number) => {
    assert.deepEqual(await get(path), { path, status });
  };
  const unavailable = (all: readonly Awaited<ReturnType<typeof get>>[]) =>
    assert.deepEqual(
      all.filter(({ status }) => status !== 503),
      [],
    );
  assert.equal((await get("/crm/leads")).status, 200);
  await untilReady(base);
  const postmaster = serverPid(env.DATA_DIR) ?? 0;
  // Stop the postmaster first, because it could start another process otherwise.
  kill(postmaster, "SIGSTOP");
  const stopped = [postmaster, ...childrenOf(postmaster)];
  atEnd(t, () => {
    for (const pid of stopped) kill(pid, "SIGCONT");
  });
  for (const pid of stopped) kill(pid, "SIGSTOP");
  // The database values in /metrics are cached and due for a refresh, but the request does not wait
  // for them.
  await probe("/metrics", 200);
  // This write may have been stored.
  const sent = [send("POST", "/crm/leads", { name: "Ada" })];
  const waiting: typeof sent = [];
  for (let round = 0; round < 20; round += 1) {
    await sleep(50);
    waiting.push(get("/crm/leads"), get("/crm/leads"));
  }
  for (const [path, status] of [
    ["/healthz", 200],
    ["/metrics", 200],
    ["/readyz", 503],
    ["/readyz", 503],
  ] as const) {
    await probe(path, status);
  }
  unavailable(await Promise.all(waiting));
  unavailable(await Promise.all(sent));
  unavailable(await Promise.all(Array.from({ length: 20 }, () => get("/crm/leads"))));
  await probe("/readyz", 503);
  for (const pid of stopped) kill(pid, "SIGCONT");
  await eventually(
    () => get("/crm/leads"),
    ({ status }) => status === 200,
  );
  assert.equal(child.exitCode, null);
});
