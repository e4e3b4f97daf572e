/** The service on a full disk, and during shutdown while a load balancer still sends it requests. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../kit/eventually.ts";
import { casesOf } from "../../kit/long.ts";
import { installed, kill, oldNode, startLeadport, untilReady } from "../leadport.ts";

const bearerIn = ({ DATA_DIR }: { readonly DATA_DIR: string }): string =>
  readFileSync(join(DATA_DIR, "owner-token"), "utf8").trim();

const client = (base: string, bearer: string) => (method: string, path: string, body?: object) =>
  fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

test("with less than DISK_RESERVE free, writes and imports return 503 and reads continue", async (t) => {
  // A reserve larger than any test machine's disk has the same effect as a nearly full disk.
  const env = { ...(await installed(t)), DISK_RESERVE: "8000TB" };
  const { base, err } = await startLeadport(t, { env });
  const send = client(base, bearerIn(env));
  for (const [method, path, body] of [
    ["POST", "/crm/leads", { name: "Ada" }],
    ["PUT", "/crm/leads/by/external_id/a", { name: "Ada" }],
    ["PATCH", `/crm/leads/${"0".repeat(24)}`, { name: "Ada" }],
    ["POST", "/crm/leads/batch", { items: [{ name: "Ada" }] }],
    ["POST", "/crm/imports", { type: "leads" }],
    ["PUT", `/crm/imports/${"0".repeat(24)}/data`, {}],
  ] as const) {
    const answer = await send(method, path, body);
    const { detail } = (await answer.json()) as { detail: string };
    assert.equal(answer.status, 503, `${method} ${path}`);
    assert.match(detail, /disk is full/);
    assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }
  const list = await send("GET", "/crm/leads");
  assert.equal(list.status, 200);
  assert.deepEqual(((await list.json()) as { leads: unknown }).leads, []);
  const metrics = await (await fetch(`${base}/metrics`)).text();
  assert.match(metrics, /^leadport_database_disk_full 1$/m);
  assert.match(metrics, /^leadport_database_disk_free_bytes [1-9]/m);
  // The log entry is written slightly later.
  await eventually(err, (log) => log.includes("disk is full"));
  assert.equal(err().split("disk is full").length - 1, 1, err());
});

const SIGNALED = [
  // Signal every process, as Ctrl-C and service managers do.
  ["2", "all processes"],
  // With an older Node, bin/leadport is a launcher, which forwards the signals that it receives.
  ["1", "the launcher and the service"],
  ["1", "the service"],
  ["2", "the service"],
] as const;

for (const [processes, receiver] of casesOf(SIGNALED, 1)) {
  const isLaunched = receiver === "the launcher and the service";
  const skip = isLaunched && oldNode === undefined && "needs an older Node next to this one";
  const title = `SHUTDOWN_DRAIN_S serves on while not ready, PROCESSES=${processes}, signal to ${receiver}; a second one ends it`;
  test(title, { skip }, async (t) => {
    const drain = { SHUTDOWN_DRAIN_S: "600", PROCESSES: processes, LOG_LEVEL: "info" };
    const env = { ...(await installed(t)), ...drain };
    const launched = isLaunched && { through: [oldNode ?? "", "bin/leadport", "start"] };
    const { base, pid, ended, err: log } = await startLeadport(t, { env, ...launched });
    const signaled = receiver === "the service" ? pid : -pid;
    const send = client(base, bearerIn(env));
    await untilReady(base);
    kill(signaled, "SIGTERM");
    const last = await eventually(
      () => fetch(`${base}/readyz`),
      ({ status }) => status === 503,
    );
    assert.ok(Number(last.headers.get("retry-after")) > 0);
    assert.deepEqual(Object.keys((await last.json()) as object), ["detail"]);
    assert.equal((await send("POST", "/crm/leads", { name: "Ada" })).status, 200);
    assert.equal((await send("GET", "/crm/leads")).status, 200);
    // A second signal that arrives before the first one is handled would be lost.
    const logged = isLaunched ? String.raw`\d+` : pid;
    const stopping = new RegExp(`"pid":${logged},[^\n]*Stopping: SIGTERM`);
    await eventually(log, (text) => stopping.test(text));
    kill(signaled, "SIGTERM");
    const { code } = await ended;
    assert.equal(code, 0);
  });
}
