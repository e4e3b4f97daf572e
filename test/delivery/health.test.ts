/** Webhook health: the success rate and the last failure of each webhook, shown only to its owner. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HEALTH_DAYS, HEALTH_DELIVERIES_MAX } from "../../src/delivery/health.ts";
import { RESEND_MAX } from "../../src/delivery/resend.ts";
import { SENT_BYTES_MAX } from "../../src/delivery/sent-request.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { ok, type Body } from "../api/samples.ts";
import { makeWebhook, PARTNER_WEBHOOKS, WEBHOOKS } from "../events/event-kit.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const makeId = idSource(systemClock());
const now_s = Math.floor(Date.now() / 1000);
const DAY_s = 86_400;
const HOOK = { url: "https://hooks.example.com/", events: ["pushed_lead.*"] };

interface Tried {
  readonly status: "pending" | "delivered" | "failed" | "gone";
  /** The result of each attempt: the response status, or the fault. Attempts are a minute apart. */
  readonly attempts: readonly (number | string)[];
  readonly age_s: number;
}

/** Stores a delivery of a webhook with its attempts, and returns its id. */
async function tried(
  tenantId: string,
  webhook: string,
  { status, attempts, age_s }: Tried,
): Promise<string> {
  const at_s = now_s - age_s;
  const id = idSource({ now_ms: () => at_s * 1000 })();
  const updated_s = at_s + attempts.length * 60;
  await api.sql`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, created_ts, updated_ts)
    values (${tenantId}, ${id}, 'event', ${`${webhook}.${id}.lead.created`}, ${status},
            ${attempts.length}, ${attempts.length}, ${at_s}, ${updated_s})`;
  for (const [n, outcome] of attempts.entries()) {
    const [code, fault] = typeof outcome === "number" ? [outcome, null] : [null, outcome];
    await api.sql`
      insert into delivery_attempts (tenant_id, delivery_id, id, at, status, duration_ms, fault)
      values (${tenantId}, ${id}, ${makeId()}, ${new Date((at_s + n * 60) * 1000)}, ${code}, 5, ${fault})`;
  }
  return id;
}

const NOTHING = { deliveries: 0, delivered: 0, success_rate: null, last_failure: null };
const isoOf = (at_s: number): string => new Date(at_s * 1000).toISOString();

test("health counts the attempts of the last week, and has the last failure", async () => {
  const client = await api.tenant();
  const rival = await api.tenant();
  const { id: idle } = await makeWebhook(client, HOOK);
  const { id } = await makeWebhook(client, HOOK);
  const make = (more: Tried) => tried(client.tenantId, id, more);
  await make({ status: "delivered", attempts: [200], age_s: 3600 });
  await make({ status: "delivered", attempts: [503, 204], age_s: 7200 });
  await make({ status: "delivered", attempts: [200, 200], age_s: 60 });
  await make({ status: "failed", attempts: [500, 500], age_s: 9000 });
  const retried = await make({ status: "pending", attempts: [500, "timeout"], age_s: 1800 });
  // The success rate ignores these deliveries: the first was never attempted, the second is no longer wanted, and the
  // third is older than a week.
  await make({ status: "pending", attempts: [], age_s: 10 });
  await make({ status: "failed", attempts: ["skipped"], age_s: 20 });
  await make({ status: "failed", attempts: [404], age_s: (HEALTH_DAYS + 1) * DAY_s });
  await tried(rival.tenantId, id, { status: "failed", attempts: [500], age_s: 5 });
  const at = isoOf(now_s - 1800 + 60);
  const last_failure = { delivery_id: retried, at, status: null, fault: "timeout" };
  assert.deepEqual(ok(await client.get(`${WEBHOOKS}/health`)).body, [
    { webhook_id: id, deliveries: 5, delivered: 3, success_rate: 0.6, last_failure },
    { webhook_id: idle, ...NOTHING },
  ]);
  assert.deepEqual(ok(await rival.get(`${WEBHOOKS}/health`)).body, []);
});

test("a partner sees only the health of its webhooks", async () => {
  const client = await api.tenant();
  const own = await partnerOf(client);
  const other = await partnerOf(client);
  const { id } = await makeWebhook(own, HOOK, PARTNER_WEBHOOKS);
  const failed = await tried(client.tenantId, id, {
    status: "gone",
    attempts: [410],
    age_s: 100,
  });
  const path = `${PARTNER_WEBHOOKS}/health`;
  const [health, ...more] = ok(await own.get(path)).body;
  assert.deepEqual([health.webhook_id, health.success_rate, more], [id, 0, []]);
  assert.deepEqual([health.last_failure.delivery_id, health.last_failure.status], [failed, 410]);
  assert.deepEqual(ok(await other.get(path)).body, []);
  assert.deepEqual(ok(await client.get(`${WEBHOOKS}/health`)).body, []);
});

test("only the newest deliveries count", async () => {
  const client = await api.tenant();
  const { id } = await makeWebhook(client, HOOK);
  await tried(client.tenantId, id, { status: "failed", attempts: [500], age_s: DAY_s });
  await api.sql`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, created_ts, updated_ts)
    select ${client.tenantId}, lpad(to_hex(${now_s - 60}::bigint), 8, '0') || lpad(n::text, 16, '0'), 'event',
           ${id} || '.' || n || '.lead.created', 'delivered', 1, 1, ${now_s - 60}::bigint, ${now_s - 60}::bigint
      from generate_series(1, ${HEALTH_DELIVERIES_MAX}::integer) n`;
  const [health] = ok(await client.get(`${WEBHOOKS}/health`)).body as Body[];
  const counted = { deliveries: HEALTH_DELIVERIES_MAX, delivered: HEALTH_DELIVERIES_MAX };
  assert.deepEqual(health, {
    webhook_id: id,
    ...counted,
    success_rate: 1,
    last_failure: null,
  });
});

test("`health` is an id to all other methods, as before", async () => {
  const client = await api.tenant();
  assert.equal((await client.delete(`${WEBHOOKS}/health`)).status, 404);
  assert.equal((await client.patch(`${WEBHOOKS}/health`, { enabled: true })).status, 404);
});

test("the page has the limits of the code", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8");
  assert.ok(page.includes(`the first ${SENT_BYTES_MAX / 1024} KiB`));
  assert.ok(page.includes(`up to ${RESEND_MAX} deliveries`));
  assert.ok(page.includes(`last ${HEALTH_DAYS} days`));
  assert.ok(page.includes(`newest ${HEALTH_DELIVERIES_MAX.toLocaleString("en")}`));
});
