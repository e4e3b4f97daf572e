/** How many requests a connection may have open, and how long the service waits for data. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { createArrival } from "../../src/platform/http/arrival.ts";
import { whenClosed } from "../../src/platform/http/connections.ts";
import { createHttp } from "../../src/platform/http/http.ts";
import { createHeldBytes } from "../../src/platform/http/held-bytes.ts";
import { AppError } from "../../src/platform/errors/errors.ts";
import { eventually } from "../kit/eventually.ts";
import { openSocket, listening, atEnd } from "../kit/started.ts";

/** Starts a server whose requests stay open until they are released. */
async function startHolding(t: TestContext) {
  const app = createHttp({ log: pino({ level: "silent" }), trustedProxies: [] });
  const state = { running: 0, most: 0, closed: 0, started: 0 };
  const held = Promise.withResolvers<void>();
  app.addHook("onRequest", (request, _reply, done) => {
    whenClosed(request, () => (state.closed += 1));
    done();
  });
  app.get("/held", async () => {
    state.started += 1;
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await held.promise;
    state.running -= 1;
    return {};
  });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const socket = openSocket(t, port);
  socket.setEncoding("latin1");
  let received = "";
  socket.on("data", (chunk: string) => (received += chunk));
  atEnd(t, async () => {
    held.resolve();
    await app.close();
  });
  const responses = () => received.split("HTTP/1.1 200").length - 1;
  return { state, socket, responses, release: held.resolve };
}

/** The number of requests that one connection may have open. */
const RUNNING = 4;

const REQUEST = "GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n";

test("of pipelined requests a few run concurrently, and all of them get responses", async (t) => {
  const { state, socket, responses, release } = await startHolding(t);
  socket.write(REQUEST.repeat(200));
  await eventually(
    () => state.started,
    (started) => started === RUNNING,
  );
  release();
  await eventually(responses, (count) => count === 200);
  assert.deepEqual({ most: state.most, closed: state.closed }, { most: RUNNING, closed: 200 });
});

test("a flood of pipelined requests ends its connection, and everything is released", async (t) => {
  const { state, socket } = await startHolding(t);
  socket.write(REQUEST.repeat(5000));
  // `once` would reject, because the connection ends with a reset, which emits an error.
  await new Promise((resolve) => socket.once("close", resolve));
  await eventually(
    () => state.closed,
    (closed) => closed === state.started,
  );
  assert.equal(state.most, RUNNING);
});

test("time in which the process is busy does not count as waiting", async (t) => {
  const server = createServer();
  const sender = openSocket(t, await listening(t, server));
  const [socket] = (await once(server, "connection")) as [typeof sender];
  let late = 0;
  const arrival = createArrival({ grace_ms: 100, bytes_per_s: 1e9 }, () => (late += 1));
  const arrived = once(socket, "data").then(() => arrival.receive(1));
  arrival.wait();
  sender.write("x");
  for (const end_ms = performance.now() + 300; performance.now() < end_ms;);
  await arrived;
  await sleep(200);
  assert.equal(late, 0);
});

test("bytes add to the remaining time, up to a maximum", async () => {
  let late = 0;
  const pace = { grace_ms: 50, bytes_per_s: 1000, saved_max_ms: 60_000 };
  const arrival = createArrival(pace, () => (late += 1));
  arrival.wait();
  arrival.receive(60_000);
  arrival.wait();
  await sleep(200);
  assert.equal(late, 0);
  arrival.end();
  const short = createArrival({ ...pace, saved_max_ms: 20 }, () => (late += 1));
  short.receive(1_000_000);
  short.wait();
  await eventually(
    () => late,
    (count) => count === 1,
  );
});

const refusal = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && error.headers["retry-after"] === "5";

test("held bytes are limited per credential, per address and in total, and are released", () => {
  const holdFor = createHeldBytes({ credential: 10, address: 20, all: 30 });
  const hold = (credential: string | undefined, address: string, bytes: number) => {
    const held = holdFor({ credential, address });
    held.add(bytes);
    return held;
  };
  const first = hold("a", "1", 10);
  assert.throws(() => hold("a", "2", 1), refusal("too_many_uploads"));
  hold("b", "1", 10);
  assert.throws(() => hold(undefined, "1", 1), refusal("too_many_uploads"));
  hold("c", "2", 10);
  assert.throws(() => hold("d", "3", 1), refusal("too_much_data"));
  first.release();
  first.release();
  hold("a", "3", 10);
  assert.throws(() => hold(undefined, "3", 1), refusal("too_much_data"));
});
