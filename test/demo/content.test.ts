/** The contents of demo data: every state, consistent timestamps and history, no real addresses or numbers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { file } from "../kit/file-api.ts";
import { demoDatabase } from "./demo-kit.ts";
import { run } from "../../src/platform/database/index.ts";

const LEADS = 300;
const YEAR_s = 366 * 86_400;

let statements = 0;
/** A fixed time, because the plan depends on it. year.test.ts covers other times. */
const now_s = Date.UTC(2026, 10, 25, 10, 45) / 1000;
const clock = { now_ms: () => now_s * 1000 };
const { sql, fill } = await demoDatabase(file, { clock, debug: () => (statements += 1) });
const tenantId = await fill({ leads: LEADS, seed: 7 });

/** Returns the distinct values of a column, in order. */
async function valuesOf(table: string, expression: string): Promise<readonly string[]> {
  const rows = await sql.unsafe(
    `select distinct (${expression})::text as value from ${table} where tenant_id = $1 order by 1`,
    [tenantId],
  );
  return rows.map(({ value }) => String(value));
}

const countOf = async (table: string, condition = "true"): Promise<number> => {
  const [row] = await sql.unsafe(
    `select count(*)::int as found from ${table} where tenant_id = $1 and ${condition}`,
    [tenantId],
  );
  return Number(row?.["found"]);
};

test("there are about as many leads as asked for, and records of every type", async () => {
  const leads = await countOf("leads");
  // The visitors of the trade show are not part of the requested number of leads.
  assert.ok(leads > LEADS * 0.9 && leads < LEADS * 1.2 + 46, `${leads} leads`);
  for (const { table } of Object.values(BUILT_IN_TYPES))
    assert.ok((await countOf(table)) > 20, table);
});

test("a lead costs few statements", () => {
  assert.ok(statements > LEADS, "they are counted");
  assert.ok(statements < LEADS * 60, `${statements} statements`);
});

/** The states that demo data must contain: a table, a column or expression, and all its values, sorted by name. */
const STATES: readonly (readonly [table: string, expression: string, ...values: string[]])[] = [
  [
    "leads",
    "lead_status",
    "assigned",
    "attempted",
    "contacted",
    "disqualified",
    "incorrect",
    "meeting-setup",
    "open",
  ],
  [
    "deals",
    "stage",
    "closed_lost",
    "closed_won",
    "contract_pending",
    "developing",
    "discovery",
    "draft",
    "negotiation_review",
    "prospecting",
  ],
  ["pushed_leads", "status", "accepted", "expired", "imported", "pending", "rejected"],
  ["pushed_leads", "possible_duplicate", "false", "true"],
  ["partners", "status", "active", "suspended"],
  ["partners", "auto_accept", "false", "true"],
  ["deliveries", "status", "delivered", "failed", "gone", "pending"],
  ["event_webhooks", "enabled", "false", "true"],
  ["orders", "order_type", "quote", "sales"],
  ["orders", "stage", "approved", "cancelled", "fulfilled", "pending"],
  ["tasks", "is_completed", "false", "true"],
  ["imports", "state", "finished"],
  ["people", "role", "admin", "agent", "null", "reviewer", "viewer"],
  ["people", "is_suspended", "false", "true"],
  ["contacts", "status", "meeting-setup"],
];

for (const [table, expression, ...values] of STATES) {
  test(`${table} have every ${expression}`, async () => {
    assert.deepEqual(
      (await valuesOf(table, expression)).toSorted(),
      values.toSorted(),
      `${table}.${expression}`,
    );
  });
}

test("rejections have reasons, duplicates were merged, rows of the file were rejected", async () => {
  assert.equal(
    await countOf("pushed_leads", "status = 'rejected' and rejection_reason is null"),
    0,
  );
  assert.ok((await valuesOf("pushed_leads", "rejection_reason")).length > 3);
  assert.ok((await countOf("merges")) > 0);
  assert.ok((await countOf("import_rejects")) > 0);
  assert.ok((await countOf("tasks", `due_date < ${now_s} and not is_completed`)) > 1);
});

test("six partners differ: commission is earned, one was suspended, one is new", async () => {
  assert.equal(await countOf("partners"), 6);
  assert.ok((await valuesOf("partners", "commission_rate")).length > 3);
  const month_s = now_s - 30 * 86_400;
  assert.equal(await countOf("partners", `created_ts > ${month_s}`), 1);
  const rows = await run(sql)`
    select d.body->>'stage' as stage from attributed_deals a
      join deals d on d.tenant_id = a.tenant_id and d.id = a.deal_id
     where a.tenant_id = ${tenantId}`;
  assert.ok(rows.some(({ stage }) => stage === "closed_won"));
});

test("deals were won in most months", async () => {
  const rows = await run(sql)`
    select distinct date_trunc('month', to_timestamp(close_date::float8)) as month from deals
     where tenant_id = ${tenantId} and stage = 'closed_won'`;
  assert.ok(rows.length >= 8, `${rows.length} months`);
});

/** Columns in which times in the future are allowed. */
const MAY_COME = new Set([
  "tasks.due_date",
  "deals.expected_close_date",
  "pushed_leads.expiration_ts",
  "deliveries.next_at",
  "sign_in_links.expires_ts",
]);

test("nothing happened in the future or more than a year ago", async () => {
  const columns = await run(sql)`
    select c.table_name, c.column_name, c.data_type from information_schema.columns c
      join information_schema.columns t
        on t.table_schema = c.table_schema and t.table_name = c.table_name and t.column_name = 'tenant_id'
     where c.table_schema = 'public'
       and (c.data_type like 'timestamp%' or c.column_name like '%\\_ts' or c.column_name like '%\\_date')`;
  assert.ok(columns.length > 60, `${columns.length} columns`);
  const wrong: string[] = [];
  for (const { table_name, column_name, data_type } of columns) {
    const moment = String(data_type).startsWith("timestamp")
      ? `extract(epoch from ${column_name})`
      : data_type === "ARRAY"
        ? `(select max(m) from unnest(${column_name}) m)`
        : column_name;
    const [row] = await sql.unsafe(
      `select min(${moment})::float8 as first, max(${moment})::float8 as last
         from ${table_name} where tenant_id = $1`,
      [tenantId],
    );
    const name = `${table_name}.${column_name}`;
    const { first, last } = row as unknown as Record<"first" | "last", number | null>;
    if (first !== null && first < now_s - YEAR_s) wrong.push(`${name} was ${first}`);
    if (last !== null && last > now_s + 60 && !MAY_COME.has(name)) wrong.push(`${name} is ${last}`);
  }
  assert.deepEqual(wrong, []);
});

test("the ids of records begin with the time of their creation", async () => {
  for (const { table } of Object.values(BUILT_IN_TYPES)) {
    assert.equal(await countOf(table, "left(id, 8) <> lpad(to_hex(created_ts), 8, '0')"), 0, table);
  }
});

test("the dates in the bodies of records are their stamps, and closed deals have closed", async () => {
  for (const { table } of Object.values(BUILT_IN_TYPES)) {
    const condition =
      "(body->>'created_ts')::bigint <> created_ts or (body->>'updated_ts')::bigint <> updated_ts " +
      "or body->>'created_date' <> iso_seconds(created_ts) or created_ts > updated_ts";
    assert.equal(await countOf(table, `(${condition})`), 0, table);
    // An id contains the second in which it was created.
    const made = "('x' || left(id, 8))::bit(32)::bigint <> created_ts";
    assert.equal(await countOf(table, made), 0, table);
  }
  const closed = "stage in ('closed_won', 'closed_lost')";
  assert.equal(await countOf("deals", `${closed} <> (close_date is not null)`), 0);
});

test("every version of a record has its change, at the time of its stamp", async () => {
  for (const { name, table } of Object.values(BUILT_IN_TYPES)) {
    const rows = await sql.unsafe(
      `select r.id from ${table} r
        where r.tenant_id = $1 and (
          select count(*) <> r.version or max(c.version) <> r.version
                 or floor(extract(epoch from max(c.at))) <> r.updated_ts
            from changes c
           where c.tenant_id = r.tenant_id and c.subject_type = $2 and c.subject_id = r.id
             and c.version is not null)`,
      [tenantId, name],
    );
    assert.deepEqual([...rows].slice(0, 3), [], table);
  }
  const early = await run(sql)`
    select c.subject_type, c.at from changes c
     where c.tenant_id = ${tenantId} and left(c.id, 8) <> lpad(to_hex(extract(epoch from c.at)::bigint), 8, '0')
       and abs(('x' || left(c.id, 8))::bit(32)::bigint - extract(epoch from c.at)) > 1`;
  assert.deepEqual([...early].slice(0, 3), []);
});

test("a user who left does nothing afterwards", async () => {
  const rows = await run(sql)`
    select p.name, max(c.at) as last, max(s.at) as left from people p
      join changes s on s.tenant_id = p.tenant_id and s.subject_id = p.id and s.action = 'updated'
      join changes c on c.tenant_id = p.tenant_id and c.actor_id = p.id
     where p.tenant_id = ${tenantId} and p.is_suspended group by 1`;
  assert.equal(rows.length, 1);
  assert.ok(rows[0]?.["last"] <= rows[0]?.["left"]);
});

/** Returns all of the tenant's data as text. */
async function everyText(): Promise<ReadonlyMap<string, string>> {
  const columns = await run(sql)`
    select c.table_name, c.column_name from information_schema.columns c
      join information_schema.columns t
        on t.table_schema = c.table_schema and t.table_name = c.table_name and t.column_name = 'tenant_id'
     where c.table_schema = 'public'
       and (c.data_type in ('text', 'json', 'jsonb') or c.udt_name = '_text')
       and c.column_name not in ('sealed', 'password_hash')`;
  const texts = new Map<string, string>();
  for (const { table_name, column_name } of columns) {
    const [row] = await sql.unsafe(
      `select string_agg(${column_name}::text, E'\\n') as text from ${table_name} where tenant_id = $1`,
      [tenantId],
    );
    texts.set(`${table_name}.${column_name}`, String(row?.["text"] ?? ""));
  }
  return texts;
}

const RESERVED_HOST = /(?:^|\.)(?:example\.(?:com|org|net)|invalid)$/;

/** Numbers that regulators have reserved for fiction, with their country codes. */
const RESERVED_NUMBERS = [
  /^1\d{3}55501\d\d$/,
  /^447700900\d{3}$/,
  /^442079460\d{3}$/,
  /^493023125\d{3}$/,
  /^331990\d{5}$/,
  /^468465004\d\d$/,
  /^6125550\d{4}$/,
];

test("no text has a real address or host", async () => {
  const texts = await everyText();
  assert.ok(texts.size > 100, `${texts.size} columns`);
  let found = 0;
  const wrong = [...texts].flatMap(([column, text]) => {
    const hosts = [
      ...text.matchAll(/[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g),
      ...text.matchAll(/https?:\/\/([^/\s"\\]+)/g),
      ...text.matchAll(/\b((?:[\w-]+\.)+(?:com|org|net|io|co|de|uk|fr|info|biz))\b/g),
    ].map(([, host = ""]) => host);
    found += hosts.length;
    return hosts.filter((host) => !RESERVED_HOST.test(host)).map((host) => `${column}: ${host}`);
  });
  assert.ok(found > LEADS, `${found} hosts`);
  assert.deepEqual([...new Set(wrong)], []);
});

test("no text has a real number", async () => {
  const texts = await everyText();
  let found = 0;
  const wrong = [...texts].flatMap(([column, text]) => {
    const international = [...text.matchAll(/\+\d[\d ()-]{7,18}\d/g)].map(([number]) => number);
    const national = [...text.matchAll(/\(\d{3}\) \d{3}-\d{4}/g)].map(([number]) => `1${number}`);
    const listed = [...text.matchAll(/"phone":"(\d+)"/g)].map(([, number = ""]) => number);
    const numbers = [...international, ...national, ...listed].map((number) =>
      number.replaceAll(/\D/g, ""),
    );
    found += numbers.length;
    return numbers
      .filter((number) => !RESERVED_NUMBERS.some((range) => range.test(number)))
      .map((number) => `${column}: ${number}`);
  });
  assert.ok(found > LEADS, `${found} numbers`);
  assert.deepEqual([...new Set(wrong)], []);
});
