/**
 * Slow filters of one tenant or partner do not slow down the lists of others. Tested over HTTP against a real
 * database.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
// Import this module first, so that the API is closed before the kit stops its database.
import { fileApi } from "../kit/file-api.ts";
import { Client } from "../kit/api.ts";
import { partnerOf, withToken } from "../exchange/partner-kit.ts";
import { startOwnApp } from "./own-app.ts";
import { ok } from "./samples.ts";
import { file } from "../kit/started.ts";

const CONNECTIONS = 10;
const SLOW_AT_ONCE = 30;
const RECORDS = 40_000;
const LISTS = 300;

const keys = { all: [randomBytes(32)] };
const api = await fileApi({ keys });
const app = await startOwnApp(file, {
  ...{ url: api.databaseUrl, connections: CONNECTIONS, rateLimit: 0, keys },
});

/** Returns a copy of the client. It calls a service that has as many database connections as a normal installation. */
const at = (client: Client): Client =>
  new Client(app.url, client.bearer, client.tenantId, client.personId, () =>
    Promise.reject(new Error("not granted here")),
  );

/** Adds enough leads to a tenant to make a filter without an index slow. */
async function fill(client: Client): Promise<void> {
  const filler = "a quiet street with a long name ".repeat(8);
  const lead = { name: "Slow", comments: filler, marketing_source: "Google" };
  const { _id } = ok(await client.post("/crm/leads", lead)).body;
  const columns = await api.sql`
    select column_name from information_schema.columns where table_name = 'leads'`;
  const names = columns
    .map((row) => row["column_name"] as string)
    .filter((name) => !["id", "body", "external_id"].includes(name));
  await api.sql.unsafe(
    `insert into leads (id, body, ${names.join(", ")})
     select n.id, replace(r.body::text, r.id, n.id)::json, ${names.map((name) => `r.${name}`).join(", ")}
       from leads r, (select 'f' || lpad(to_hex(i), 23, '0') as id from generate_series(1, $2) i) n
      where r.id = $1`,
    [_id, RECORDS],
  );
  await api.sql`analyze leads`;
}

const SLOW = { match_filter_dict: { name: { $regex: "(q|w)+.*(z|x)+.*y$" } }, page_size: 1 };

/** Sends slow filters concurrently. The returned function stops them and returns their durations, shortest first. */
function attack(client: Pick<Client, "get">, path: string): () => Promise<readonly number[]> {
  let isOver = false;
  const times_ms: number[] = [];
  const loops = Array.from({ length: SLOW_AT_ONCE }, async () => {
    while (!isOver) {
      const sent_ms = performance.now();
      const { status, text } = await client.get(path, SLOW);
      assert.ok([200, 422, 429].includes(status), `${status} ${text}`);
      times_ms.push(performance.now() - sent_ms);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(loops);
    return times_ms.toSorted((a, b) => a - b);
  };
}

/** Requests lists one after another and returns their durations, shortest first. */
async function timesOf(client: Client, path: string): Promise<readonly number[]> {
  const times_ms: number[] = [];
  for (let n = 0; n < LISTS; n++) {
    const began_ms = performance.now();
    ok(await client.get(path, { page_size: 10 }));
    times_ms.push(performance.now() - began_ms);
  }
  return times_ms.toSorted((a, b) => a - b);
}

const quantile = (times_ms: readonly number[], share: number): number =>
  times_ms[Math.min(times_ms.length - 1, Math.floor(times_ms.length * share))] ?? Infinity;

/**
 * Asserts that lists do not wait for slow filters: even the slowest list takes a fraction of a slow filter's time. The
 * limit is relative because all requests take longer on a busy machine.
 */
function assertQuick(
  t: TestContext,
  times: Readonly<Record<"meanwhile" | "slow", readonly number[]> & { alone?: readonly number[] }>,
): void {
  const figures = Object.entries(times).map(
    ([name, times_ms]) =>
      `${name} ${[0.5, 0.99, 1].map((share) => Math.round(quantile(times_ms, share))).join("/")}`,
  );
  const text = `p50/p99/max in ms: ${figures.join(", ")}; ${times.slow.length} slow filters`;
  t.diagnostic(text);
  assert.ok(quantile(times.meanwhile, 0.99) < quantile(times.slow, 0.5) / 2, text);
}

const attacker = await api.tenant();
const victim = await api.tenant();
ok(await victim.post("/crm/leads", { name: "Quick" }));
await fill(attacker);
const partner = await partnerOf(attacker, { allowed_marketing_sources: ["Google"] });
const asPartner = withToken(at(attacker), partner.token);

for (const [whose, slow, path] of [
  ["a tenant", at(attacker), "/crm/leads"],
  ["a partner", asPartner, "/crm/partner/leads"],
] as const) {
  test(`${SLOW_AT_ONCE} slow filters of ${whose} leave another tenant's lists quick`, async (t) => {
    const alone = await timesOf(at(victim), "/crm/leads");
    const stop = attack(slow, path);
    const meanwhile = await timesOf(at(victim), "/crm/leads");
    assertQuick(t, { alone, meanwhile, slow: await stop() });
  });
}

test("a partner's slow filters leave the lists of its tenant's users quick", async (t) => {
  const user = await attacker.token(["records:read"]);
  const stop = attack(asPartner, "/crm/partner/leads");
  const meanwhile = await timesOf(at(user), "/crm/leads");
  assertQuick(t, { meanwhile, slow: await stop() });
});

test("afterwards no slot is in use and nothing waits", () => {
  for (const { in_use, waiting } of Object.values(app.db.admission.snapshot())) {
    assert.deepEqual(in_use, { interactive: 0, bulk: 0, background: 0 });
    assert.deepEqual(waiting, { interactive: 0, bulk: 0, background: 0 });
  }
});
