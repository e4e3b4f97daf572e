/**
 * Eight readers and four writers use the service while the database fails at random: backends are
 * terminated with pg_terminate_backend or killed with SIGKILL (after which PostgreSQL restarts
 * completely), and connections are cut, refused or frozen. The service's process must stay alive,
 * respond to every request, and neither lose nor duplicate an acknowledged write.
 */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openWay } from "../kit/database-way.ts";
import { eventually } from "../kit/eventually.ts";
import { isLong } from "../kit/long.ts";
import { randomFrom } from "../kit/random.ts";
import { separateServer } from "../kit/database.ts";
import { kill, settings, startLeadport } from "../running/leadport.ts";
import { openSession } from "../kit/started.ts";

const CHAOS_s = Number(process.env["CHAOS_S"] ?? (isLong ? "600" : "10"));
const READERS = 8;
const WRITERS = 4;
/** How much longer to continue, if processes are so slow that the database has not failed as the test requires. */
const LONGER_ms = 300_000;
/** Only a request without a response takes this long. The service's own timeouts are a few seconds. */
const RESPONSE_MAX_ms = 300_000;

test(`${CHAOS_s} s of killing PostgreSQL: the process stays alive and loses nothing it acknowledged`, async (t) => {
  const server = await separateServer(t);
  const sql = openSession(t, server.url);
  const way = await openWay(t, server.url);
  const random = randomFrom(20_261_122);
  const env = {
    ...settings(t),
    DATABASE_URL: way.url,
    MASTER_KEY: randomBytes(32).toString("base64"),
    RATE_LIMIT: "off",
    LOG_LEVEL: "error",
  };
  const { base, child, pid } = await startLeadport(t, { env });
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const bearer = readFileSync(join(env.DATA_DIR, "owner-token"), "utf8").trim();

  let isOver = false;
  let longest_ms = 0;
  const statuses = new Map<number, number>();
  const send = async (method: string, path: string, body?: object, key = "") => {
    const began = performance.now();
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        ...(key !== "" && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(RESPONSE_MAX_ms),
    });
    const told = (await response.json()) as { readonly detail?: unknown };
    longest_ms = Math.max(longest_ms, performance.now() - began);
    const { status, headers } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 503) {
      assert.equal(typeof told.detail, "string");
      assert.ok(Number(headers.get("retry-after")) > 0);
    }
    return { status, isKeyInUse: status === 409 && headers.has("retry-after") };
  };
  const read = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await send("GET", "/crm/leads");
      assert.ok(status === 200 || status === 503, String(status));
      if (status === 503) await sleep(20 * random());
    }
  };
  const acknowledged: string[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let number = 0; !isOver; number += 1) {
      const name = `${writer}-${number}`;
      const key = randomUUID();
      // Repeat the request with its key until it is acknowledged, even after the last fault.
      for (;;) {
        const { status, isKeyInUse } = await send("POST", "/crm/leads", { name }, key);
        if (status === 200) break;
        assert.ok(status === 503 || isKeyInUse, String(status));
        await sleep(20 * random());
      }
      acknowledged.push(name);
    }
  };
  const work = Promise.all([
    ...Array.from({ length: READERS }, read),
    ...Array.from({ length: WRITERS }, (_, at) => write(at)),
  ]);
  const kills = { backend: 0, session: 0, cut: 0, refused: 0, frozen: 0 };
  const hasFailed = () => statuses.has(503) && kills.backend + kills.session > 0;
  const plague = async (): Promise<"over"> => {
    const until = performance.now() + CHAOS_s * 1000;
    const latest = until + LONGER_ms;
    for (let now = 0; now < until || (now < latest && !hasFailed()); now = performance.now()) {
      await sleep(100 + 900 * random());
      const die = random();
      if (die < 0.4) {
        const isHard = die < 0.15;
        const victims = await sql`
          select pid from pg_stat_activity
           where application_name like 'leadport%' order by random() limit 3`.catch(() => []);
        for (const { pid: victim } of isHard ? victims.slice(0, 1) : victims) {
          if (isHard) kill(victim as number, "SIGKILL");
          else await sql`select pg_terminate_backend(${victim as number})`.catch(() => undefined);
          kills[isHard ? "backend" : "session"] += 1;
        }
      } else if (die < 0.8) {
        await way.shut();
        if (die < 0.6) kills.cut += 1;
        else {
          kills.refused += 1;
          await sleep(1000 * random());
        }
        await way.reopen();
      } else {
        kills.frozen += 1;
        way.freeze();
        await sleep(3000 * random());
        way.thaw();
      }
    }
    return "over";
  };
  // If a reader or writer fails, the test ends immediately.
  assert.equal(await Promise.race([work, plague()]), "over");
  isOver = true;
  await work;

  assert.equal(child.exitCode, null);
  assert.equal(child.pid, pid);
  assert.ok(!log.includes("Unhandled"), log);
  // PostgreSQL may still be restarting after the last kill.
  const rows = await eventually(() =>
    sql`select body->>'name' as name from leads`.catch(() => undefined),
  );
  assert.ok(rows);
  assert.deepEqual(rows.map(({ name }) => name as string).toSorted(), acknowledged.toSorted());
  assert.ok((statuses.get(503) ?? 0) > 0 && kills.backend + kills.session > 0);
  t.diagnostic(
    `${acknowledged.length} writes, responses ${JSON.stringify(Object.fromEntries(statuses))}, ` +
      `${JSON.stringify(kills)}, longest ${Math.round(longest_ms)} ms`,
  );
});
