/** Rate limits are exact with one process. Several processes together exceed a limit by at most 10%. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test, type TestContext } from "node:test";
import { createRateLimiter } from "../../src/limits/index.ts";
import { forgetRequestCounts } from "../../src/limits/request-counts.ts";
import { migratedDatabase } from "../kit/database.ts";
import { file } from "../kit/file-api.ts";
import { atEnd, listening, openSession } from "../kit/started.ts";
import { noting } from "../kit/sql.ts";

const { sql, url } = await migratedDatabase(file);

const MINUTE_ms = 60_000;
const TENANT = "00000000-0000-4000-8000-000000000001";

/** Returns a clock that stands still until a test advances it. */
const standingClock = () => {
  const clock = {
    at_ms: Math.floor(Date.now() / MINUTE_ms) * MINUTE_ms,
    now_ms: () => clock.at_ms,
  };
  return clock;
};

/**
 * Starts `number` rate limiters on a shared database, each simulating one process, and counts the statements that they
 * send.
 */
async function startLimiters(t: TestContext, number: number) {
  const clock = standingClock();
  await sql`delete from request_counts`;
  const sent = { statements: 0 };
  const processes: Limiter[] = [];
  for (let at = 0; at < number; at++) {
    const own = openSession(t, url);
    // Opens the connection. A limiter gives up after a second, and a busy machine may need that long to connect.
    await own`select 1`;
    const limiter = createRateLimiter({
      sql: noting(own, () => sent.statements++),
      clock,
      rateLimit: 100,
      note,
    });
    atEnd(t, () => limiter.close());
    processes.push(limiter);
  }
  return {
    clock,
    sent,
    processes,
    /** Waits until each limiter has run long enough to count requests in memory first, and in the database later. */
    settle: async () => {
      for (let second = 0; second < 6; second++) {
        for (const limiter of processes) await limiter.synchronize();
        clock.at_ms += 1000;
      }
      for (const limiter of processes) await limiter.synchronize();
    },
  };
}

type Limiter = ReturnType<typeof createRateLimiter>;

const credential = (rate_limit: number | null, id = "token x") => ({
  tenantId: TENANT,
  id,
  rate_limit,
});

const admits = (limiter: Limiter, limit: number | null, id?: string): Promise<boolean> =>
  limiter.take(credential(limit, id)).then(
    () => true,
    (error: { readonly code?: string }) => {
      assert.equal(error.code, "too_many_requests", String(error));
      return false;
    },
  );

const note = (error: unknown) => assert.fail(error as Error);

/**
 * Simulates many concurrent callers, each sending one request after another. Returns the number of
 * admitted requests.
 */
async function hammer(processes: readonly Limiter[], limit: number, each: number): Promise<number> {
  const callers = 8;
  let admitted = 0;
  const call = async (limiter: Limiter): Promise<void> => {
    for (let n = 0; n < each / callers; n++) {
      if (await admits(limiter, limit)) admitted++;
      // Requests over a network arrive one at a time.
      if (n % 10 === 0) await new Promise(setImmediate);
    }
  };
  const all = processes.flatMap((limiter) => Array.from({ length: callers }, () => call(limiter)));
  await Promise.all(all);
  return admitted;
}

for (const number of [1, 2, 4]) {
  for (const limit of [7, 400, 6000]) {
    test(`${number} concurrent callers admit ${limit} of a limit of ${limit}, and at most a tenth more`, async (t) => {
      const { processes, sent, settle } = await startLimiters(t, number);
      await settle();
      sent.statements = 0;
      const admitted = await hammer(processes, limit, Math.max(limit, 100));
      assert.ok(admitted >= limit, String(admitted));
      assert.ok(admitted <= limit * (number === 1 ? 1 : 1.1), String(admitted));
      if (limit === 6000) assert.ok(sent.statements < 100 * number, String(sent.statements));
      t.diagnostic(`${admitted} admitted, ${sent.statements} statements`);
    });
  }
}

test("processes that have just started admit not one request too many", async (t) => {
  const { processes } = await startLimiters(t, 3);
  assert.equal(await hammer(processes, 300, 300), 300);
});

test("requests are available again in the next minute, and old counts are deleted", async (t) => {
  const { processes, clock } = await startLimiters(t, 1);
  const [limiter] = processes as [Limiter];
  assert.equal(await hammer(processes, 10, 16), 10);
  clock.at_ms += MINUTE_ms;
  assert.equal(await hammer(processes, 10, 16), 10);
  await limiter.synchronize();
  await sql`update request_counts set window_s = window_s - 600`;
  assert.ok((await forgetRequestCounts(sql)) > 0);
  assert.equal((await sql`select from request_counts`).count, 0);
});

test("credentials do not share a limit, and a request that is given back can be used again", async (t) => {
  const { processes } = await startLimiters(t, 2);
  const [one, other] = processes as [Limiter, Limiter];
  const call = await one.take(credential(1));
  assert.equal(await admits(other, 1), false);
  assert.equal(await admits(other, 1, "token y"), true);
  call?.release();
  assert.match(call?.headers()["ratelimit"] ?? "", /r=1;/);
  await one.synchronize();
  // A rejected client retries every second.
  assert.equal(await admits(other, 1), false);
  await other.synchronize();
  assert.equal(await admits(other, 1), true);
  assert.equal(await admits(one, 0), true);
  assert.equal(await one.take(credential(0)), undefined);
});

/**
 * Databases that do not respond: an address at which nothing listens, and a server that accepts connections but sends
 * nothing.
 */
const SILENT = {
  "refuses connections": async () => "postgres://127.0.0.1:1/none",
  "does not respond": async (t: TestContext) => {
    const server = createServer((socket) => void socket.on("error", () => undefined));
    return `postgres://127.0.0.1:${await listening(t, server)}/none`;
  },
} as const;

for (const [what, urlOf] of Object.entries(SILENT)) {
  test(`if the database ${what}, a process counts on its own`, async (t) => {
    let statements = 0;
    const silent = noting(
      openSession(t, await urlOf(t), { connect_ms: 1000 }),
      () => (statements += 1),
    );
    const noted: unknown[] = [];
    const limiter = createRateLimiter({
      sql: silent,
      clock: standingClock(),
      rateLimit: 100,
      note: (error) => void noted.push(error),
    });
    for (let n = 0; n < 100; n++) assert.equal(await admits(limiter, null), true);
    assert.equal(await admits(limiter, null), false);
    await limiter.close();
    assert.equal(noted.length, 1);
    // Only the first request waited for the database.
    assert.ok(statements >= 1 && statements < 20, `${statements} statements`);
  });
}
