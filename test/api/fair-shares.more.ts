/** Slow filters of one tenant, or of a partner, against everyone else's lists: on a real database, over HTTP. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
// First, so that the API is closed before the kit stops its database.
import { fileApi } from "../kit/file-api.ts";
import { Client } from "../kit/api.ts";
import { partnerOf, withToken } from "../exchange/partner-kit.ts";
import { startOwnApp } from "./own-app.ts";
import { ok } from "./samples.ts";

const CONNECTIONS = 10;
const SLOW_AT_ONCE = 30;
const RECORDS = 40_000;
const LISTS = 300;
const P99_MAX_ms = 250;

const keys = { all: [randomBytes(32)] };
const api = await fileApi({ keys });
const app = await startOwnApp({
  ...{ url: api.databaseUrl, connections: CONNECTIONS, rateLimit: 0, keys },
});
after(app.stop);

/** The same client at the service with as many connections as an installation has. */
const at = (client: Client): Client =>
  new Client(app.url, client.bearer, client.tenantId, client.personId, () =>
    Promise.reject(new Error("not granted here")),
  );

/** Gives a tenant so many leads that a filter without an index is slow. */
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

/** Sends slow filters, so many at once, until it is stopped; how many statements they were. */
function attack(client: Pick<Client, "get">, path: string): () => Promise<number> {
  let isOver = false;
  let sent = 0;
  const loops = Array.from({ length: SLOW_AT_ONCE }, async () => {
    while (!isOver) {
      const { status, text } = await client.get(path, SLOW);
      assert.ok([200, 422, 429].includes(status), `${status} ${text}`);
      sent += 1;
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(loops);
    return sent;
  };
}

/** The times of lists that are sent one after the other, shortest first. */
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
    const beside = await timesOf(at(victim), "/crm/leads");
    const sent = await stop();
    const figures = [alone, beside].map((times_ms) =>
      [0.5, 0.99, 1].map((share) => Math.round(quantile(times_ms, share))),
    );
    t.diagnostic(`p50, p99, most in ms: ${JSON.stringify(figures)}; ${sent} slow filters`);
    assert.ok(sent > 0);
    assert.ok(quantile(beside, 0.99) < P99_MAX_ms, JSON.stringify(figures));
  });
}

test("a partner's slow filters leave the lists of its own tenant's users quick", async (t) => {
  const user = await attacker.token(["records:read"]);
  const stop = attack(asPartner, "/crm/partner/leads");
  const beside = await timesOf(at(user), "/crm/leads");
  await stop();
  t.diagnostic(`p99 in ms: ${Math.round(quantile(beside, 0.99))}`);
  assert.ok(quantile(beside, 0.99) < P99_MAX_ms);
});

test("nothing is held or waiting when all is over", () => {
  for (const { in_use, waiting } of Object.values(app.db.admission.snapshot())) {
    assert.deepEqual(in_use, { interactive: 0, bulk: 0, background: 0 });
    assert.deepEqual(waiting, { interactive: 0, bulk: 0, background: 0 });
  }
});
