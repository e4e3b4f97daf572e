/** Traces of a running service: which modules are loaded, what each process sends, and what is sent on exit. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../kit/eventually.ts";
import { startCollector } from "../kit/otlp.ts";
import { listening, temporaryFolder } from "../kit/started.ts";
import { installed, type Settings, startLeadport, tokenOf } from "./leadport.ts";

/**
 * Appends to the file LOADED each module of OpenTelemetry's SDK that a process loads. Writing to a pipe would fail if
 * the test did not read it fast enough.
 */
const HOOK = `
import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
registerHooks({
  load(url, context, next) {
    if (/@opentelemetry\\/(sdk|exporter|otlp|core|resources)/.test(url)) appendFileSync(process.env.LOADED, url + "\\n");
    return next(url, context);
  },
});`;
const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(HOOK).toString("base64")}`;

async function start(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const env = { ...(await installed(t)), ...more };
  return { ...(await startLeadport(t, { env })), env };
}

async function list(base: string, { DATA_DIR }: Settings): Promise<void> {
  const headers = { authorization: `Bearer ${tokenOf(DATA_DIR)}`, connection: "close" };
  const response = await fetch(`${base}/crm/leads`, { headers });
  await response.text();
  assert.equal(response.status, 200);
}

/** Returns a collector that accepts connections and never responds. */
async function startSilent(t: TestContext): Promise<string> {
  const server = createServer((socket) => void socket.on("error", () => undefined));
  return `http://127.0.0.1:${await listening(t, server)}`;
}

test("OpenTelemetry is loaded only if a collector is set", async (t) => {
  const LOADED = join(temporaryFolder(t), "loaded");
  const hook = { NODE_OPTIONS, LOADED };
  const off = await start(t, hook);
  await list(off.base, off.env);
  assert.ok(!existsSync(LOADED));
  const { endpoint } = await startCollector(t);
  await start(t, { ...hook, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  assert.match(readFileSync(LOADED, "utf8"), /@opentelemetry\/sdk-trace\//);
});

test("the end of a service sends the last spans of each of its processes", async (t) => {
  const collector = await startCollector(t);
  const { base, env, child, ended } = await start(t, {
    PROCESSES: "2",
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
    OTEL_SERVICE_NAME: "crm",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  // Connections are assigned to the processes in turn.
  const listFourTimes = async (): Promise<void> => {
    for (let i = 0; i < 4; i += 1) await list(base, env);
  };
  const received = () => collector.spans.filter(({ kind }) => kind === "server");
  // A process that ends waits only a second for its spans, so it must have sent some before: the first batch also loads
  // code and opens a connection.
  await listFourTimes();
  await eventually(received, ({ length }) => length === 4);
  await listFourTimes();
  child.kill("SIGTERM");
  assert.equal((await ended).code, 0);
  const servers = await eventually(received, ({ length }) => length >= 8);
  assert.equal(servers.length, 8);
  const processes = new Set(servers.slice(4).map(({ resource }) => resource["process.pid"]));
  assert.equal(processes.size, 2);
  for (const { resource } of servers) {
    assert.equal(resource["service.name"], "crm");
    assert.equal(resource["deployment.environment.name"], "test");
    assert.match(String(resource["service.version"]), /^\d+\.\d+\.\d+/);
  }
});

test("a service ends although its collector never responds", async (t) => {
  const silent = await startSilent(t);
  const { base, env, child, ended } = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: silent });
  await list(base, env);
  child.kill("SIGTERM");
  assert.equal((await ended).code, 0);
});
