/** Several processes on one port: how one that ends is replaced, and how all end. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { migratedDatabase } from "../kit/database.ts";
import { isAlive, kill, settings, spawnLeadport } from "./leadport.ts";
import { logOf, measured, metricsAt, openBoth, until } from "./lines.ts";

/** `leadport serve` on a database of its own, with what it logs. */
async function serve(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const { sql, url } = await migratedDatabase(t);
  const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: "info", ...more };
  const running = spawnLeadport(t, ["serve", "--processes", "2"], { env });
  return { ...running, sql, log: logOf(running) };
}

/** What comes on a new connection until its end. */
function probe(port: number): Promise<string> {
  // How it ends is all the same.
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk)));
  socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  return new Promise((resolve) => socket.on("close", () => resolve(answer)));
}

test("a process that cannot start again is tried again, and all end with a killed first", async (t) => {
  const { pid, out, sql, log } = await serve(t);
  await until("the port", () => /port \d+\./.test(out()));
  const port = Number(/port (\d+)\./.exec(out())?.[1]);
  const base = `http://127.0.0.1:${port}`;
  const [one, other] = await openBoth(t, base, log);
  await sql`insert into schema_migrations (version, name) values (9999, 'of a later program')`;
  // Of two connections one is given to each; this one does not take it any more.
  kill(one.pid, "SIGSTOP");
  const both = [probe(port), probe(port)];
  const first = await Promise.race(both);
  kill(one.pid, "SIGKILL");
  const answers = (await Promise.all(both)).toSorted();
  assert.match(first, /^HTTP\/1\.1 200 /);
  assert.deepEqual(answers, ["", first], "no client waits for what is gone");
  const refused = () => log().match(/this program knows \d+: it was migrated by a later/g) ?? [];
  await until("it to be refused twice", () => refused().length === 2);
  assert.equal(measured(await metricsAt(other), "leadport_serving_processes"), 1);
  await sql`delete from schema_migrations where version = 9999`;
  const [left, right] = await openBoth(t, base, log);
  kill(pid, "SIGKILL");
  await until("the end of all", () => ![pid, left.pid, right.pid].some(isAlive));
  await new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(port, "127.0.0.1", () => server.close(resolve));
  });
});

test("what keeps all from listening is said once, and ends the start", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { ended } = await serve(t, { PORT: String(port), LOG_LEVEL: "warn" });
  const { code, out, err } = await ended;
  assert.deepEqual([code, out], [1, ""]);
  assert.equal(err, `Port ${port} on 127.0.0.1 is taken. Set PORT to another one.\n`);
});
