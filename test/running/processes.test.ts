/** Several processes on one port: how a process that exits is replaced, and how all processes are stopped. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test, type TestContext } from "node:test";
import { migratedDatabase, requireSchema } from "../kit/database.ts";
import { isAlive, kill, settings, spawnLeadport } from "./leadport.ts";
import { logOf, measured, metricsAt, openBoth } from "./lines.ts";
import { eventually } from "../kit/eventually.ts";
import { listeningPort } from "../kit/listening-port.ts";
import { listening, openSocket } from "../kit/started.ts";

/** `leadport serve` on a separate database, with its log. */
async function serve(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const { sql, url } = await migratedDatabase(t);
  const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: "info", ...more };
  const running = spawnLeadport(t, ["serve", "--processes", "2"], { env });
  return { ...running, sql, log: logOf(running) };
}

/** Returns everything that arrives on a new connection until it ends. */
function probe(t: TestContext, port: number): Promise<string> {
  const socket = openSocket(t, port);
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk)));
  socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  return new Promise((resolve) => socket.on("close", () => resolve(answer)));
}

test("a process that cannot start again is retried, and all end with a killed first one", async (t) => {
  const { pid, out, sql, log } = await serve(t);
  const port = (await eventually(() => listeningPort(out()), Boolean)) as number;
  const base = `http://127.0.0.1:${port}`;
  const [one, other] = await openBoth(t, base, log);
  const before = await requireSchema(sql, 9999);
  // The two connections go to different processes. The stopped process does not respond to its
  // connection.
  kill(one.pid, "SIGSTOP");
  const both = [probe(t, port), probe(t, port)];
  const first = await Promise.race(both);
  kill(one.pid, "SIGKILL");
  const answers = (await Promise.all(both)).toSorted();
  assert.match(first, /^HTTP\/1\.1 200 /);
  assert.deepEqual(answers, ["", first], "no client waits for what is gone");
  const refused = () => log().match(/needs a program with schema version 9999 or later/g) ?? [];
  await eventually(() => refused().length >= 2);
  assert.equal(measured(await metricsAt(other), "leadport_serving_processes"), 1);
  await requireSchema(sql, before);
  const [left, right] = await openBoth(t, base, log);
  kill(pid, "SIGKILL");
  await eventually(() => ![pid, left.pid, right.pid].some(isAlive));
  // The port is free again.
  assert.equal(await listening(t, createServer(), port), port);
});

test("an error that keeps all from listening is reported once, and ends the start", async (t) => {
  const port = await listening(t, createServer());
  const { ended } = await serve(t, { PORT: String(port), LOG_LEVEL: "warn" });
  const { code, out, err } = await ended;
  assert.deepEqual([code, out], [1, ""]);
  assert.equal(err, `Port ${port} on 127.0.0.1 is already in use. Set PORT to another port.\n`);
});
