/** The usual faults: killed with its database, started twice, without its database for a while, asked to stop. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addLead, authorized, killAndStartAgain } from "./killed.ts";
import { isAlive, kill, leadport, serverPid, settings, startLeadport } from "./leadport.ts";

test("after SIGKILL of the database's whole family a start finds every answered write", (t) =>
  killAndStartAgain(t, "database's whole family"));

test("a second start on the same folder is refused and names the first", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const { code, err } = await leadport(t, ["start"], { env });
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`^Leadport already runs on \\S+ \\(process ${service.pid}, since 2`),
  );
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200);
});

test("a database that dies is started again, and 503 is answered meanwhile", async (t) => {
  const env = settings(t);
  const { base } = await startLeadport(t, { env });
  const before = serverPid(env.DATA_DIR) ?? 0;
  assert.ok(before > 1);
  kill(-before, "SIGKILL");
  const seen = new Set<number>();
  const until = performance.now() + 15_000;
  for (let good = 0; good < 5 && performance.now() < until; await sleep(20)) {
    const status = await addLead(base, env, "Meanwhile");
    seen.add(status);
    good = status === 200 ? good + 1 : 0;
  }
  assert.equal((await fetch(`${base}/readyz`)).status, 200);
  assert.notEqual(serverPid(env.DATA_DIR), before);
  assert.deepEqual(
    [...seen].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

test("SIGTERM answers what is in flight, and all is gone within 10 s", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const { port } = new URL(service.base);
  const body = JSON.stringify({ name: "In flight" });
  const socket = connect(Number(port), "127.0.0.1");
  t.after(() => socket.destroy());
  const headers = Object.entries({ ...authorized(env), host: "x", "content-length": body.length });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /crm/leads HTTP/1.1\r\n${head}\r\n${body.slice(0, 5)}`);
  let answer = "";
  let answered = Infinity;
  socket.on("data", (chunk) => {
    answer += chunk;
    answered = performance.now();
  });
  const closed = once(socket, "close").then(() => performance.now());
  await sleep(300);
  const database = serverPid(env.DATA_DIR) ?? 0;
  const asked = performance.now();
  kill(service.pid, "SIGTERM");
  await sleep(300);
  socket.write(body.slice(5));
  assert.equal((await service.ended).code, 0);
  assert.ok(performance.now() - asked < 10_000);
  assert.match(answer, /^HTTP\/1\.1 200 /);
  // The end of the process includes the database's, which takes longer on a busy machine.
  const open_ms = (await closed) - answered;
  assert.ok(open_ms < 3_000, `an answered connection was kept open for ${open_ms} ms`);
  assert.equal(isAlive(database), false);
});

test("a connection that never ends its request does not keep the service", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const socket = connect(Number(new URL(service.base).port), "127.0.0.1").on("error", () => {});
  t.after(() => socket.destroy());
  socket.write("POST /crm/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
  await sleep(200);
  const asked = performance.now();
  kill(service.pid, "SIGTERM");
  assert.equal((await service.ended).code, 0);
  assert.ok(performance.now() - asked < 10_000);
});
