/** How requests are counted: by one process exactly, by several with at most a tenth too many. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { createRateLimiter, forgetRequestCounts } from "../../src/access/index.ts";
import type { Db } from "../../src/platform/database/tx.ts";
import { file } from "../kit/file-api.ts";

// The kit stops its database when the file ends, and must do so last.
const { migratedDatabase } = await import("../kit/database.ts");
const { sql, url } = await migratedDatabase(file);

const MINUTE_ms = 60_000;
const TENANT = "00000000-0000-4000-8000-000000000001";

/** A clock that stands until it is moved. */
const standingClock = () => {
  const clock = {
    at_ms: Math.floor(Date.now() / MINUTE_ms) * MINUTE_ms,
    now_ms: () => clock.at_ms,
  };
  return clock;
};

/** Limiters as several processes have them, on one database, and how many statements they sent. */
async function startLimiters(t: TestContext, number: number) {
  const clock = standingClock();
  await sql`delete from request_counts`;
  const sent = { statements: 0 };
  const processes = Array.from({ length: number }, () => {
    const own = postgres(url, { max: 1, onnotice: () => {}, debug: () => void sent.statements++ });
    const limiter = createRateLimiter({ sql: own as Db, clock, rateLimit: 100, note });
    t.after(async () => {
      await limiter.close();
      await own.end();
    });
    return limiter;
  });
  return {
    clock,
    sent,
    processes,
    /** Until each has been there for so long that it may count ahead. */
    settle: async () => {
      for (let second = 0; second < 6; second++) {
        for (const limiter of processes) await limiter.synchronise();
        clock.at_ms += 1000;
      }
      for (const limiter of processes) await limiter.synchronise();
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

/** All at once, so many callers each, one request after the other; how many requests got through. */
async function hammer(processes: readonly Limiter[], limit: number, each: number): Promise<number> {
  const callers = 8;
  let admitted = 0;
  const call = async (limiter: Limiter): Promise<void> => {
    for (let n = 0; n < each / callers; n++) {
      if (await admits(limiter, limit)) admitted++;
      // Requests of a network come one by one.
      if (n % 10 === 0) await new Promise(setImmediate);
    }
  };
  const all = processes.flatMap((limiter) => Array.from({ length: callers }, () => call(limiter)));
  await Promise.all(all);
  return admitted;
}

for (const number of [1, 2, 4]) {
  for (const limit of [7, 400, 6000]) {
    test(`${number} at once admit ${limit} of a limit of ${limit}, and a tenth more at most`, async (t) => {
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

test("processes that have just started admit not one too many", async (t) => {
  const { processes } = await startLimiters(t, 3);
  assert.equal(await hammer(processes, 300, 300), 300);
});

test("a minute's requests are free again in the next, and forgotten when they are over", async (t) => {
  const { processes, clock } = await startLimiters(t, 1);
  const [limiter] = processes as [Limiter];
  assert.equal(await hammer(processes, 10, 16), 10);
  clock.at_ms += MINUTE_ms;
  assert.equal(await hammer(processes, 10, 16), 10);
  await limiter.synchronise();
  await sql`update request_counts set window_s = window_s - 600`;
  assert.ok((await forgetRequestCounts(sql as Db)) > 0);
  assert.equal((await sql`select from request_counts`).count, 0);
});

test("credentials do not share a limit, and what is given back may be used again", async (t) => {
  const { processes } = await startLimiters(t, 2);
  const [one, other] = processes as [Limiter, Limiter];
  const call = await one.take(credential(1));
  assert.equal(await admits(other, 1), false);
  assert.equal(await admits(other, 1, "token y"), true);
  call?.release();
  assert.match(call?.headers()["ratelimit"] ?? "", /r=1;/);
  await one.synchronise();
  // Who has been refused asks again each second.
  assert.equal(await admits(other, 1), false);
  await other.synchronise();
  assert.equal(await admits(other, 1), true);
  assert.equal(await admits(one, 0), true);
  assert.equal(await one.take(credential(0)), undefined);
});

/** Where no database answers: nothing listens, or something takes what is sent and says nothing. */
const SILENT = {
  "refuses connections": async () => "postgres://127.0.0.1:1/none",
  "does not answer": async (t: TestContext) => {
    const server = createServer((socket) => void socket.on("error", () => undefined)).unref();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    return `postgres://127.0.0.1:${(server.address() as { port: number }).port}/none`;
  },
} as const;

for (const [what, urlOf] of Object.entries(SILENT)) {
  test(`where the database ${what} a process counts for itself`, async (t) => {
    const silent = postgres(await urlOf(t), { max: 1, connect_timeout: 1 });
    const noted: unknown[] = [];
    const limiter = createRateLimiter({
      ...{ sql: silent as Db, clock: standingClock(), rateLimit: 100 },
      note: (error) => void noted.push(error),
    });
    const began = performance.now();
    for (let n = 0; n < 100; n++) assert.equal(await admits(limiter, null), true);
    assert.equal(await admits(limiter, null), false);
    await limiter.close();
    await silent.end({ timeout: 0 });
    assert.equal(noted.length, 1);
    assert.ok(performance.now() - began < 5000, "it waited for the database again and again");
  });
}
