/** Single deliveries to a real receiver: which responses count as accepted, and when deliveries are retried. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAPS_s } from "../../src/delivery/schedule.ts";
import { deliveryWorld } from "./delivery-kit.ts";
import { startReceiver, status, type Respond } from "./receiver.ts";

const HOUR_ms = 3_600_000;
const isTried = ({ attempt_count }: { attempt_count: number }) => attempt_count > 0;
const hasEnded = (delivery: { status: string }) => delivery.status !== "pending";
/** A retry schedule with short delays. */
const FAST_s = [0, 0.05, 0.05];

const nowhere = () => ({ url: "http://127.0.0.1:9/" });

test("an idle worker is woken by a delivery that is queued", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  // The poll interval is so long that only a wake-up can find the delivery.
  world.work({ poll_ms: HOUR_ms });
  for (let at = 0; at < 9; at += 1) {
    await world.deliveryWhen(scope, await world.promise(scope, `s${at}`), hasEnded);
  }
  assert.equal(receiver.received.length, 9);
});

for (const [code, ends] of [
  [200, "delivered"],
  [204, "delivered"],
  [299, "delivered"],
  [410, "gone"],
] as const) {
  test(`a ${code} ends a delivery as ${ends}, after one attempt`, async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond = status(code, {}, code === 204 ? "" : "taken");
    const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
    const scope = await world.tenant();
    world.work({ gaps_s: FAST_s });
    const id = await world.promise(scope, "s");
    const delivery = await world.deliveryWhen(scope, id, hasEnded);
    assert.equal(delivery.status, ends);
    assert.equal(delivery.next_attempt_ts, null);
    assert.equal(delivery.url, receiver.url);
    const answer = code === 204 ? "" : "taken";
    assert.equal(delivery.attempts.length, 1);
    const [{ request, answer_headers, ...attempt }] = delivery.attempts;
    assert.deepEqual(
      { ...attempt, at: "", duration_ms: 0 },
      {
        at: "",
        status: code,
        duration_ms: 0,
        fault: null,
        answer,
        answer_bytes: answer.length,
      },
    );
    assert.ok("date" in answer_headers);
    assert.equal(receiver.received.length, 1);
    const [received] = receiver.received;
    assert.deepEqual([request.url, request.body], [receiver.url, received?.body]);
    assert.deepEqual(world.learned, {
      delivered: ends === "delivered" ? [id] : [],
      givenUp: ends === "gone" ? [id] : [],
    });
  });
}

const FAILING: Readonly<Record<string, readonly [Respond, number | null, string | null]>> = {
  "a 301": [status(301, { location: "/elsewhere" }), 301, null],
  "a 304": [status(304), 304, null],
  "a 400": [status(400), 400, null],
  "a 404": [status(404), 404, null],
  "a 429 without a time": [status(429), 429, null],
  "a 500": [status(500), 500, null],
  "a 503": [status(503), 503, null],
  "a reset": [(response) => void response.socket?.resetAndDestroy(), null, "connection"],
  "half a body": [
    (response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 20);
    },
    null,
    "connection",
  ],
  "no response in time": [() => {}, null, "timeout"],
};

for (const [what, [respond, code, fault]] of Object.entries(FAILING)) {
  test(`${what} fails; the delivery is retried by the schedule under one id, then given up`, async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond = respond;
    // The timeout must leave enough time for the request to reach the receiver on a busy machine.
    const timeout_s = fault === "timeout" ? 2 : 20;
    const world = await deliveryWorld(t, { request: () => ({ url: receiver.url, timeout_s }) });
    const scope = await world.tenant();
    world.work({ gaps_s: FAST_s });
    const id = await world.promise(scope, "s");
    const delivery = await world.deliveryWhen(scope, id, hasEnded);
    assert.equal(delivery.status, "failed");
    assert.equal(delivery.attempt_count, FAST_s.length);
    for (const attempt of delivery.attempts) {
      assert.deepEqual([attempt.status, attempt.fault], [code, fault]);
    }
    assert.equal(receiver.received.length, FAST_s.length);
    for (const { headers, path } of receiver.received) {
      assert.deepEqual([headers["webhook-id"], path], [id, "/"]);
    }
    assert.deepEqual(world.learned, { delivered: [], givenUp: [id] });
  });
}

test("if nothing listens, the fault is a failed connection", async (t) => {
  const world = await deliveryWorld(t, { request: nowhere });
  const scope = await world.tenant();
  world.work();
  const delivery = await world.deliveryWhen(scope, await world.promise(scope, "s"), isTried);
  assert.equal(delivery.status, "pending");
  assert.equal(delivery.last_attempt.fault, "connection");
});

test("the second attempt of the real schedule comes after about 5 s", async (t) => {
  const receiver = await startReceiver(t);
  const read = Promise.withResolvers<void>();
  // The second attempt does not end before the test has read the outcome of the first one.
  receiver.respond = async (response, received) => {
    const isFirst = received === receiver.received[0];
    if (!isFirst) await read.promise;
    response.writeHead(isFirst ? 500 : 200).end();
  };
  const at_ms = Date.now();
  const standing = { now_ms: () => at_ms };
  const request = () => ({ url: receiver.url });
  const world = await deliveryWorld(t, { clock: standing, request });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s");
  const first = await world.deliveryWhen(scope, id, isTried);
  // The wait is 5 s plus or minus 10%, rounded up to a whole second.
  const wait_s = first.next_attempt_ts - at_ms / 1000;
  assert.ok(wait_s >= 4.5 && wait_s < 6.5, `${wait_s}`);
  read.resolve();
  await world.deliveryWhen(scope, id, hasEnded);
  const [one, two] = receiver.received;
  const gap_ms = (two?.at_ms ?? 0) - (one?.at_ms ?? 0);
  assert.ok(gap_ms > 4_400, `${gap_ms} ms`);
});

test("Retry-After of a 429 and a 503 delays the next attempt, that of a 500 does not", async (t) => {
  const receiver = await startReceiver(t);
  // The clock stands still, so that the time until an outcome is recorded does not count.
  const at_ms = Date.now();
  const standing = { now_ms: () => at_ms };
  const request = () => ({ url: receiver.url });
  const world = await deliveryWorld(t, { clock: standing, request });
  const scope = await world.tenant();
  world.work();
  const cases: readonly (readonly [number, string, number])[] = [
    [429, "600", 600],
    [503, "600", 600],
    [503, "in an hour", 3600],
    [503, "99999999", GAPS_s.at(-1) ?? 0],
    [429, "1", 5],
    [429, "soon", 5],
    [500, "600", 5],
  ];
  for (const [code, after, wanted_s] of cases) {
    receiver.respond = (response) => {
      const hourLater = new Date(at_ms + HOUR_ms).toUTCString();
      const value = after === "in an hour" ? hourLater : after;
      response.writeHead(code, { "retry-after": value }).end();
    };
    const id = await world.promise(scope, `${code} ${after}`);
    const delivery = await world.deliveryWhen(scope, id, isTried);
    const wait_s = delivery.next_attempt_ts - at_ms / 1000;
    assert.ok(Math.abs(wait_s - wanted_s) <= 3, `${code} ${after}: ${wait_s}`);
  }
});

test("the first 2 KiB of a response are stored, as text that PostgreSQL accepts", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  world.work();
  const cases = [
    ["é".repeat(3000), "é".repeat(1024)],
    [`a${"é".repeat(3000)}`, `a${"é".repeat(1023)}`],
    ["nul \0 here", "nul \uFFFD here"],
    ["x".repeat(100_000), "x".repeat(2048)],
  ] as const;
  for (const [at, [sent, kept]] of cases.entries()) {
    receiver.respond = status(200, {}, sent);
    const delivery = await world.deliveryWhen(
      scope,
      await world.promise(scope, `s${at}`),
      hasEnded,
    );
    assert.equal(delivery.attempts[0].answer, kept);
    assert.equal(delivery.status, "delivered");
  }
});

test("a delivery that is no longer wanted ends without being sent", async (t) => {
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s");
  const delivery = await world.deliveryWhen(scope, id, hasEnded);
  assert.deepEqual(
    [delivery.status, delivery.last_attempt.fault, delivery.url],
    ["failed", "skipped", null],
  );
  assert.deepEqual(world.learned, { delivered: [], givenUp: [id] });
});

test("a request that cannot be created counts as a failed attempt", async (t) => {
  let asked = 0;
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, {
    request: () => {
      asked += 1;
      if (asked === 1) throw new Error("the seal is broken");
      return { url: receiver.url };
    },
  });
  const scope = await world.tenant();
  world.work({ gaps_s: FAST_s });
  const delivery = await world.deliveryWhen(scope, await world.promise(scope, "s"), hasEnded);
  assert.deepEqual(
    delivery.attempts.map(({ fault }: { fault: string }) => fault),
    ["internal", null],
  );
  assert.equal(delivery.status, "delivered");
  assert.match(world.log(), /the seal is broken/);
});
