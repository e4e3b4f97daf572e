/** The port of `leadport worker`: health, readiness and metrics, and nothing else. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test, type TestContext } from "node:test";
import { migratedDatabase, requireSchema } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { listeningPort } from "../kit/listening-port.ts";
import { leadport, settings, spawnLeadport, untilReady } from "./leadport.ts";
import { listening } from "../kit/started.ts";

const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");
const METRICS_TOKEN = "a-token-for-metrics";

async function worker(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const { sql, url } = await migratedDatabase(t);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY, ...more };
  const running = spawnLeadport(t, ["worker"], { env });
  await eventually(running.out, (text) => text.includes("The background worker is running"));
  const base = `http://127.0.0.1:${listeningPort(running.out())}`;
  return { ...running, sql, base };
}

test("a worker serves its health and its metrics, which METRICS_TOKEN protects", async (t) => {
  const { base, sql } = await worker(t, { WORKER_PORT: "0", METRICS_TOKEN });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, { headers });
  assert.equal((await get("/healthz")).status, 200);
  const ready = (await (await untilReady(base)).json()) as {
    status: string;
    schema_version: number;
  };
  assert.equal(ready.status, "ready");
  assert.deepEqual(Object.keys(ready), ["status", "version", "commit", "schema_version"]);
  assert.deepEqual([...(await sql`select kind from processes`)], [{ kind: "worker" }]);
  assert.equal((await get("/metrics")).status, 401);
  const authorized = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await get("/metrics", authorized)).text();
  assert.match(metrics, /^leadport_process_resident_memory_bytes \d+$/m);
  for (const path of ["/crm/leads", "/openapi.json", "/docs", "/"]) {
    assert.equal((await get(path)).status, 404, path);
  }
  assert.equal((await fetch(`${base}/healthz`, { method: "POST" })).status, 405);
  await requireSchema(sql, ready.schema_version + 1);
  assert.equal((await get("/readyz")).status, 503);
});

test("without WORKER_PORT the worker opens no port", async (t) => {
  const { out } = await worker(t);
  assert.equal(out(), "The background worker is running.\n");
});

test("a port that is taken ends the start with the setting's name", async (t) => {
  const port = await listening(t, createServer());
  const { url } = await migratedDatabase(t);
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY, WORKER_PORT: String(port) };
  const { code, err } = await leadport(t, ["worker"], { env });
  const message = `Port ${port} on 127.0.0.1 is already in use. Set WORKER_PORT to another port.\n`;
  assert.deepEqual([code, err], [1, message]);
});
