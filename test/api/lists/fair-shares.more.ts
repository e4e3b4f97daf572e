/**
 * Slow filters of one tenant or partner do not slow down the lists of others. Tested over HTTP against a real
 * database.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
// Import this module first, so that the API is closed before the kit stops its database.
import { fileApi } from "../../kit/file-api.ts";
import { Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { casesOf } from "../../kit/long.ts";
import { median, quantile } from "../../../bench/statistics.ts";
import { partnerOf, withToken } from "../../exchange/partner-kit.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { file } from "../../kit/started.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

const CONNECTIONS = 10;
const SLOW_AT_ONCE = 30;
const RECORDS = 40_000;
const LISTS = 100;
/** In a single queue, each list would wait for about this many slow filters: all that have no connection. */
const QUEUED = SLOW_AT_ONCE - CONNECTIONS;
/** For a test that continues until enough slow filters have completed. */
const LIMIT = { timeout: 600_000 };

const keys: MasterKey = { all: [randomBytes(32)] };
const api = await fileApi({ keys });
const app = await startOwnApp(file, {
  url: api.databaseUrl,
  connections: CONNECTIONS,
  rateLimit: 0,
  keys,
  // Only filters that complete are counted. On a busy machine, one of them can take longer than the default allows.
  listTimeout_ms: 60_000,
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

/** A plain page, and a filter that matches few records. The filter needs a slot of the same pool as the slow filters. */
const QUICK = [
  { page_size: 10 },
  { match_filter_dict: { tags: "quick", name: { $regex: "u.*k$" } } },
];

interface Attack {
  /** The number of slow filters that have completed so far. */
  readonly completed: () => number;
  readonly stop: () => Promise<void>;
}

/** Sends slow filters concurrently, until it is stopped. */
function attack(client: Pick<Client, "get">, path: string): Attack {
  let isOver = false;
  let completed = 0;
  const loops = Array.from({ length: SLOW_AT_ONCE }, async () => {
    while (!isOver) {
      const { status, text } = await client.get(path, SLOW);
      assert.ok([200, 422, 429].includes(status), `${status} ${text}`);
      if (status === 200) completed += 1;
    }
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(loops);
  };
  return { completed: () => completed, stop };
}

/**
 * Requests lists one after another during an attack, and asserts that they do not wait for the slow filters that were
 * sent before them. Filters are counted instead of milliseconds, because everything takes longer on a busy machine.
 */
async function assertQuick(
  t: TestContext,
  client: Client,
  { completed, stop }: Attack,
): Promise<void> {
  const waited = QUICK.map((): number[] => []);
  try {
    // If the lists are fast, continue until enough slow filters have completed during them.
    for (let n = 0; n < LISTS || completed() <= SLOW_AT_ONCE; n++) {
      for (const [at, query] of QUICK.entries()) {
        const before = completed();
        ok(await client.get("/crm/leads", query));
        waited[at]?.push(completed() - before);
      }
    }
  } finally {
    await stop();
  }
  const slow = completed();
  assert.ok(slow > SLOW_AT_ONCE, "the slow filters were sent during the lists");
  for (const counts of waited) {
    const middle = median(counts);
    const most = quantile(counts, 0.9);
    const text = `${slow} slow filters, p50/p90 during a list: ${middle}/${most}`;
    t.diagnostic(text);
    assert.ok(middle < QUEUED / 4 && most < QUEUED, text);
  }
}

const attacker = await api.tenant();
const victim = await api.tenant();
ok(await victim.post("/crm/leads", { name: "Quick" }));
await fill(attacker);
const partner = await partnerOf(attacker, { allowed_marketing_sources: ["Google"] });
const asPartner = withToken(at(attacker), partner.token);

const ATTACKS = [
  ["a tenant", at(attacker), "/crm/leads"],
  ["a partner", asPartner, "/crm/partner/leads"],
] as const;

for (const [whose, slow, path] of casesOf(ATTACKS, 1)) {
  test(
    `${SLOW_AT_ONCE} slow filters of ${whose} leave another tenant's lists quick`,
    LIMIT,
    async (t) => {
      await assertQuick(t, at(victim), attack(slow, path));
    },
  );
}

test("a partner's slow filters leave the lists of its tenant's users quick", LIMIT, async (t) => {
  const user = await attacker.token(["records:read"]);
  await assertQuick(t, at(user), attack(asPartner, "/crm/partner/leads"));
});

const slotCounts = (): readonly number[] =>
  Object.values(app.db.admission.snapshot()).flatMap(({ in_use, waiting }) => [
    ...Object.values(in_use),
    ...Object.values(waiting),
  ]);

test("afterwards no slot is in use and nothing waits", async () => {
  // The service regularly stores when credentials were last used, which takes a slot for a moment.
  await eventually(slotCounts, (all) => all.every((count) => count === 0));
});
