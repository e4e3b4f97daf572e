/** SIGKILL at any time, and a retry with the same key: never two records, never a lost response. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { createTenant } from "../../../src/access/create-tenant.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { migratedDatabase } from "../../kit/database.ts";
import { kill, settings, spawnLeadport } from "../leadport.ts";
import { eventually } from "../../kit/eventually.ts";
import { listeningPort } from "../../kit/listening-port.ts";
import type { TestSql } from "../../kit/sql.ts";

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly isReplay: boolean;
}

interface Service {
  readonly pid: number;
  /** Sends a POST with an Idempotency-Key. Returns undefined if there was no response. */
  readonly post: (key: string, path?: string) => Promise<Answered | undefined>;
  readonly ended: Promise<unknown>;
}

/** Returns a database with a tenant, and a service on it that is restarted each time it is killed. */
async function world(t: TestContext) {
  const { sql, url } = await migratedDatabase(t);
  const clock = systemClock();
  const deps = { clock, makeId: idSource(clock) };
  const { ownerToken } = await createTenant(sql, deps, { name: "Acme" });
  const MASTER_KEY = randomBytes(32).toString("base64");
  const env = { ...settings(t), DATABASE_URL: url, MASTER_KEY };
  const start = async (): Promise<Service> => {
    const { pid, out, ended } = spawnLeadport(t, ["serve"], { env });
    const port = () => listeningPort(out());
    await eventually(port);
    const post = async (key: string, path = "/crm/leads") => {
      const headers = {
        authorization: `Bearer ${ownerToken}`,
        "content-type": "application/json",
        "idempotency-key": key,
      };
      try {
        const answer = await fetch(`http://127.0.0.1:${port()}${path}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ name: key }),
        });
        const isReplay = answer.headers.get("idempotency-replayed") === "true";
        return { status: answer.status, text: await answer.text(), isReplay };
      } catch {
        return undefined;
      }
    };
    return { pid, post, ended };
  };
  return { sql, start };
}

/** Retries as a client does, for as long as the first request is still being processed. */
const retry = async ({ post }: Service, key: string): Promise<Answered> =>
  (await eventually(
    () => post(key),
    (answer) => answer !== undefined && answer.status !== 409,
  )) as Answered;

/** Returns the names of all leads, including duplicates. */
const leadsIn = async (sql: TestSql): Promise<readonly string[]> =>
  (await sql`select name from leads order by name`).map(({ name }) => name as string);

const WRITERS = 6;

test("killed again and again under load, every key has one record and one response", async (t) => {
  const { sql, start } = await world(t);
  const sent = new Map<string, Answered | undefined>();
  for (let round = 0; round < 3; round += 1) {
    const service = await start();
    const enough = sent.size + 20 + round * 7;
    const writers = Array.from({ length: WRITERS }, async () => {
      for (;;) {
        const key = `key-${sent.size}`;
        sent.set(key, undefined);
        const answer = await service.post(key);
        if (answer === undefined) return;
        assert.equal(answer.status, 200, answer.text);
        sent.set(key, answer);
        if (sent.size === enough) kill(service.pid, "SIGKILL");
      }
    });
    await Promise.all(writers);
    await service.ended;
  }
  const lost = [...sent].filter(([, answer]) => answer === undefined);
  assert.ok(lost.length >= 3, "requests were under way when it was killed");
  const service = await start();
  const remaining = sent.entries();
  // A hundred requests at once could wait for a connection for more than 5 s, which ends in 503.
  const retries = Array.from({ length: WRITERS }, async () => {
    for (const [key, first] of remaining) {
      const again = await retry(service, key);
      assert.equal(again.status, 200, again.text);
      if (first !== undefined) assert.deepEqual(again, { ...first, isReplay: true });
    }
  });
  await Promise.all(retries);
  assert.deepEqual(await leadsIn(sql), [...sent.keys()].toSorted());
});

/**
 * The points at which the service is killed. At each point, a trigger makes the request's transaction wait until the
 * test releases it.
 */
const MOMENTS = [
  { moment: "before the commit", when: "before insert", isDone: false },
  { moment: "while it commits", when: "deferred", isDone: true },
] as const;

const LOCK = 4711;

/** Returns the connections that are waiting for the test. */
const waiting = (sql: TestSql) => sql`
  select from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;

for (const { moment, when, isDone } of MOMENTS) {
  test(`killed ${moment}, a retry ${isDone ? "returns the lost response" : "does what was not done"}`, async (t) => {
    const { sql, start } = await world(t);
    // Otherwise, PostgreSQL could notice that its client has been killed, and roll back.
    await sql.unsafe(
      `do $$ begin execute format('alter database %I set client_connection_check_interval = 0', current_database()); end $$`,
    );
    await sql.unsafe(`
      create function wait_here() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`);
    await sql.unsafe(
      when === "deferred"
        ? `create constraint trigger waits after insert on idempotency_keys
             deferrable initially deferred for each row execute function wait_here()`
        : `create trigger waits before insert on idempotency_keys
             for each row execute function wait_here()`,
    );
    const [service, again] = await Promise.all([start(), start()]);
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${LOCK})`;
      const first = service.post("the-key");
      await eventually(async () => (await waiting(sql)).length > 0);
      kill(service.pid, "SIGKILL");
      assert.equal(await first, undefined);
      const early = await again.post("the-key");
      assert.equal(early?.status, 409, early?.text);
    });
    const late = await retry(again, "the-key");
    assert.deepEqual([late.status, late.isReplay], [200, isDone]);
    assert.equal((await again.post("the-key"))?.text, late.text);
    assert.deepEqual(await leadsIn(sql), ["the-key"]);
  });
}
