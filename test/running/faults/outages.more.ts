/**
 * Common faults: the service is killed with its database, started twice, left without its database for a while, or
 * asked to shut down.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { addLead, authorized, killAndStartAgain } from "./killed.ts";
import {
  installed,
  isAlive,
  kill,
  leadport,
  serverPid,
  startLeadport,
  untilReady,
} from "../leadport.ts";
import { measured } from "../lines.ts";
import { eventually } from "../../kit/eventually.ts";
import { longTest } from "../../kit/long.ts";
import { atEnd, openSocket } from "../../kit/started.ts";

longTest(
  "after SIGKILL of all processes of the database a start finds every acknowledged write",
  (t) => killAndStartAgain(t, "database's whole family"),
);

test("a second start on the same folder is rejected and names the first", async (t) => {
  const env = await installed(t);
  const service = await startLeadport(t, { env });
  const { code, err } = await leadport(t, ["start"], { env });
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`^Leadport is already running with \\S+ \\(process ${service.pid}, since 2`),
  );
  await untilReady(service.base);
});

test("a database that dies is started again, and requests return 503 until then", async (t) => {
  const env = await installed(t);
  const { base } = await startLeadport(t, { env });
  const before = serverPid(env.DATA_DIR) ?? 0;
  assert.ok(before > 1);
  kill(-before, "SIGKILL");
  const seen = new Set<number>();
  let good = 0;
  await eventually(async () => {
    const status = await addLead(base, env, "Meanwhile");
    seen.add(status);
    good = status === 200 ? good + 1 : 0;
    // The sessions of the killed server respond until it has ended.
    return good >= 5 && serverPid(env.DATA_DIR) !== before;
  });
  await untilReady(base);
  assert.notEqual(serverPid(env.DATA_DIR), before);
  assert.deepEqual(
    [...seen].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

test("after SIGTERM the request in progress gets its response, and everything ends", async (t) => {
  // With only one connection, the request in progress needs no new one, even while background work uses the pool.
  const env = { ...(await installed(t)), LOG_LEVEL: "info", DATABASE_CONNECTIONS: "1" };
  const service = await startLeadport(t, { env });
  const { port } = new URL(service.base);
  // Opens the database connection that the request in progress will use.
  assert.equal(await addLead(service.base, env, "Earlier"), 200);
  const body = JSON.stringify({ name: "In flight" });
  const socket = openSocket(t, port);
  const headers = Object.entries({ ...authorized(env), host: "x", "content-length": body.length });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /crm/leads HTTP/1.1\r\n${head}\r\n${body.slice(0, 5)}`);
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  const closed = once(socket, "close");
  const inProgress = async () =>
    measured(
      await (await fetch(`${service.base}/metrics`)).text(),
      "leadport_http_requests_in_flight",
    );
  // The request of the metrics is in progress, too.
  await eventually(inProgress, (count) => count === 2);
  const database = serverPid(env.DATA_DIR) ?? 0;
  // A stopped database keeps the service from exiting right after it has closed the connection.
  kill(database, "SIGSTOP");
  atEnd(t, () => isAlive(database) && kill(database, "SIGCONT"));
  kill(service.pid, "SIGTERM");
  await eventually(service.err, (log) => log.includes("Stopping: SIGTERM"));
  socket.write(body.slice(5));
  // The service closes the connection explicitly, not by exiting.
  await closed;
  assert.equal(isAlive(service.pid), true);
  assert.equal((await service.ended).code, 0);
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.equal(isAlive(database), false);
});

test("a connection that never ends its request does not block the stop of the service", async (t) => {
  const env = await installed(t);
  const service = await startLeadport(t, { env });
  const socket = openSocket(t, new URL(service.base).port);
  socket.write("POST /crm/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
  // The response, a 401, does not wait for the rest of the request.
  await once(socket, "data");
  kill(service.pid, "SIGTERM");
  assert.equal((await service.ended).code, 0);
});
