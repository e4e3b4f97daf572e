/** Delivery list filters: what each one finds, what is rejected, and that each one reads an index range. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE } from "../../src/audit/index.ts";
import { listDeliveries } from "../../src/delivery/deliveries.ts";
import { healthOf } from "../../src/delivery/health.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import type { Db } from "../../src/platform/database/tx.ts";
import { ok, type Body } from "../api/samples.ts";
import { makeWebhook, PARTNER_WEBHOOKS } from "../events/event-kit.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { sharedApi } from "../kit/file-api.ts";
import { makeDelivery, type StoredDelivery } from "./stored.ts";
import type { Query } from "../../src/platform/pool/index.ts";
import { noting } from "../kit/sql.ts";

const DELIVERIES = "/crm/admin/deliveries";
const api = await sharedApi();
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const LEAD = "1".repeat(24);
const DEAL = "2".repeat(24);
const HOOK = { url: "https://hooks.example.com/", events: ["lead.created"] };

/** Returns a delivery to a webhook, for an event about a record. */
const about = (webhook: string, event: string, record_id: string): StoredDelivery => ({
  topic: "event",
  subject_id: `${webhook}.${record_id}.${event}`,
  event,
  record_id,
});

test("deliveries are found by event, webhook and record, alone and together", async () => {
  const client = await api.tenant();
  const rival = await api.tenant();
  const { id: one } = await makeWebhook(client, HOOK);
  const { id: two } = await makeWebhook(client, HOOK);
  const partner = await partnerOf(client);
  const events = ["pushed_lead.*"];
  const { id: own } = await makeWebhook(partner, { ...HOOK, events }, PARTNER_WEBHOOKS);
  const make = (more: StoredDelivery) => makeDelivery(api.sql, client.tenantId, more);
  const a = await make(about(one, "lead.created", LEAD));
  const b = await make({ ...about(two, "lead.created", LEAD), status: "delivered" });
  const c = await make({ ...about(one, "deal.stage_changed", DEAL), status: "delivered" });
  const d = await make(about(own, "pushed_lead.received", DEAL));
  const imported = { topic: "lead.imported", event: "lead.imported", record_id: LEAD };
  const e = await make({ ...imported, subject_id: LEAD });
  const other = about(one, "lead.created", LEAD);
  await makeDelivery(api.sql, rival.tenantId, other);
  const cases: readonly (readonly [Body, readonly string[]])[] = [
    [{}, [e, d, c, b, a]],
    [{ event: "lead.created" }, [b, a]],
    [{ event: "lead.imported" }, [e]],
    [{ event: "task.deleted" }, []],
    [{ webhook_id: one }, [c, a]],
    [{ webhook_id: own }, [d]],
    [{ webhook_id: "import_webhook" }, [e]],
    [{ webhook_id: "3".repeat(24) }, []],
    [{ record_id: LEAD }, [e, b, a]],
    [{ record_id: DEAL, webhook_id: one }, [c]],
    [{ record_id: LEAD, event: "lead.created", status: "failed" }, [a]],
    [{ webhook_id: one, status: "delivered", topic: "event" }, [c]],
    [{ webhook_id: "import_webhook", topic: "event" }, []],
    [{ event: "lead.created", start_date: "2099-01-01" }, []],
  ];
  for (const [query, wanted] of cases) {
    const { body } = ok(await client.get(DELIVERIES, query));
    assert.deepEqual(idsOf(body), wanted, JSON.stringify(query));
  }
  // Filtering by another tenant's webhook finds nothing.
  assert.deepEqual(ok(await rival.get(DELIVERIES, { webhook_id: two })).body, []);
  const first = ok(await client.get(DELIVERIES, { event: "lead.created", page_size: 1 }));
  const next = /^<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  assert.deepEqual(idsOf(ok(await client.get(next)).body), [a]);
  const moved = await client.get(next.replace("lead.created", "lead.updated"));
  assert.equal(moved.status, 422);
});

test("an invalid filter returns 422 with the reason", async () => {
  const client = await api.tenant();
  const cases = [
    ["event", "lead.born", /^Input should be .*'lead\.created'.*'lead\.imported'/],
    ["record_id", "Ada", /a record id must have 24/],
    ["webhook_id", "my hook", /a webhook id must have 24 .* import_webhook/],
    ["webhook_id", "x".repeat(101), /at most 100 characters/],
  ] as const;
  for (const [name, value, wanted] of cases) {
    const { status, body } = await client.get(DELIVERIES, { [name]: value });
    assert.equal(status, 422);
    assert.deepEqual(body.detail[0].loc, ["query", name]);
    assert.match(body.detail[0].msg, wanted);
  }
});

const ROWS = 20_000;
/** One delivery in a hundred is for the second webhook, and one in a thousand is for the rare event. */
const COMMON = "a".repeat(24);
const RARE = "b".repeat(24);

/** Returns a tenant with many deliveries and up-to-date PostgreSQL statistics. */
async function busyTenant() {
  const { tenantId } = await api.tenant();
  const start_s = Math.floor(Date.now() / 1000) - 86_400;
  await api.sql`
    insert into deliveries (tenant_id, id, topic, subject_id, event, record_id, status, attempts, tries,
                            created_ts, updated_ts)
    select ${tenantId}, lpad(to_hex(${start_s}::bigint + n / 100), 8, '0') || lpad(n::text, 16, '0'), 'event',
           case when n % 100 = 0 then ${RARE} else ${COMMON} end || '.' || n || '.lead.updated',
           case when n % 1000 = 0 then 'task.deleted' else 'lead.updated' end,
           lpad((n % 2000)::text, 24, '0'),
           case when n % 500 = 0 then 'failed' else 'delivered' end, 1, 1, ${start_s}, ${start_s}
      from generate_series(1, ${ROWS}::integer) n`;
  await api.sql`
    insert into delivery_attempts (tenant_id, delivery_id, id, at, status, duration_ms)
    select tenant_id, id, id, now(), 200, 1 from deliveries where tenant_id = ${tenantId}`;
  await api.sql`analyze deliveries`;
  await api.sql`analyze delivery_attempts`;
  return tenantId;
}

/** Returns the plans of the statements that `work` sends, each with the actual number of rows read. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<readonly string[]> {
  const plans: string[] = [];
  const statements: Query[] = [];
  await work(noting(api.sql, (query) => statements.push(query)));
  for (const { text, values } of statements) {
    const rows = await api.sql.unsafe(`explain (analyze, buffers off) ${text}`, values);
    plans.push(rows.map((row) => String(row["QUERY PLAN"])).join("\n"));
  }
  return plans;
}

test("each filter reads a range of an index, in the order of the list", async () => {
  const tenantId = await busyTenant();
  const cases: readonly (readonly [Body, RegExp])[] = [
    [{}, /deliveries_pkey/],
    [{ status: "failed" }, /deliveries_status/],
    [{ event: "task.deleted" }, /deliveries_event/],
    [{ record_id: "7".padStart(24, "0") }, /deliveries_record/],
    [{ webhook_id: RARE }, /deliveries_of_webhook/],
    [{ event: "task.deleted", status: "delivered" }, /deliveries_event/],
  ];
  for (const [query, index] of cases) {
    const webhook =
      query["webhook_id"] === undefined ? undefined : { topic: "event", subject: RARE };
    const [plan = ""] = await plansOf((db) =>
      listDeliveries({ db, tenantId, actor: SERVICE } as never, query, webhook),
    );
    const what = `${JSON.stringify(query)}\n${plan}`;
    assert.match(plan, index, what);
    assert.doesNotMatch(plan, /Seq Scan|Sort|Bitmap/, what);
    // The list reads 51 deliveries and the last attempt of each.
    const read = [...plan.matchAll(/Index (?:Only )?Scan.* on deliveries d .*rows=(\d+)/g)];
    assert.ok(read.length === 1, what);
    assert.ok(
      read.every(([, rows]) => Number(rows) <= 51),
      what,
    );
  }
});

test("the health of a webhook costs its newest 1,000 deliveries, however many there are", async () => {
  const tenantId = await busyTenant();
  const [plan = ""] = await plansOf((db) =>
    healthOf({ db, tenantId, actor: SERVICE } as never, systemClock(), "event", [COMMON, RARE]),
  );
  assert.match(plan, /deliveries_of_webhook/);
  assert.doesNotMatch(plan, /Seq Scan/, plan);
  const [, rows] = /Index Scan.* on deliveries d .*rows=(\d+)/.exec(plan) ?? [];
  assert.ok(Number(rows) <= 1000, plan);
});
