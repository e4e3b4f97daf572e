/** A tenant is the same after a move to another installation: docs/moving-a-tenant.md. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";
import { createSealer, type MasterKey } from "../../src/platform/secrets/index.ts";
import { idColumnOf, tenantTables } from "../../src/tenant-data/tables.ts";
import { SEALED } from "../../src/tenant-data/sealed-values.ts";
import { ok } from "../api/samples.ts";
import { Client, startApi } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { SSN } from "../kit/ssn.ts";
import { file } from "../kit/started.ts";
import { migratedDatabase } from "../kit/database.ts";
import { EXCLUDED, exported, fullTenant, imported, rowsOf } from "./move-kit.ts";

const source = await fullTenant(file);
const { client, api } = source;
const { tenantId } = client;
const [before, moved] = await api.sql.begin(async (tx) => {
  // The service stores last-used times later. The lock keeps it from doing so between these two reads.
  await tx`lock table access_tokens, people in share mode`;
  const rows = await rowsOf(api.sql, tenantId);
  return [rows, await exported(file, api.sql, { ...source, tenantId })] as const;
});
const keys: MasterKey = { all: [randomBytes(32)] };
const target = await startApi(file, { keys });
await target.tenant();
const arrived = await imported(file, moved, { sql: target.sql, keys, handle: "moved" });

test("the tested tenant has rows in every table of a tenant file", () => {
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  assert.deepEqual(
    empty.map(([name]) => name),
    [],
  );
  const rows = Object.values(before).reduce((sum, { length }) => sum + length, 0);
  assert.equal(
    moved.manifest.tables.reduce((sum, one) => sum + one.rows, 0),
    rows,
  );
});

// docs/moving-a-tenant.md#what-a-tenant-file-contains
test("every table with a tenant_id is in a tenant file, or is documented as left out", async (t) => {
  const { sql } = await migratedDatabase(t);
  const tables = await sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'tenant_id' and not a.attisdropped and c.relkind in ('r', 'p')
       and c.relnamespace = 'public'::regnamespace`;
  const contained = (await tenantTables(sql as never, EXCLUDED)).map(({ name }) => name);
  const all = tables.map(({ name }) => String(name));
  assert.deepEqual(
    all.filter((name) => !contained.includes(name) && !EXCLUDED.includes(name)),
    [],
  );
  assert.deepEqual(
    EXCLUDED.filter((name) => !all.includes(name)),
    [],
  );
  const page = readFileSync(new URL("../../docs/moving-a-tenant.md", import.meta.url), "utf8");
  for (const name of EXCLUDED) assert.ok(page.includes(`\`${name}\``), name);
});

/** The columns that a move changes, by table. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  tenants: ["handle", "import_started_ts", "imported_ts", "updated_ts"],
  changes: ["seq"],
  partners: ["generation"],
  event_webhooks: ["enabled", "position"],
  event_replays: ["finished_ts"],
};

/** Returns a row without the columns that a move changes, and with sealed values decrypted. */
function plain(table: string, row: Readonly<Record<string, unknown>>, master: MasterKey) {
  const sealer = createSealer(master);
  const shown: Record<string, unknown> = { ...row };
  for (const name of CHANGED[table] ?? []) delete shown[name];
  for (const { column, member, of, kind } of SEALED[table] ?? []) {
    const place = `${kind} ${String(row[of])}`;
    const value = row[column];
    if (member === undefined) {
      if (typeof value === "string") shown[column] = sealer.open(tenantId, place, value);
    } else if (typeof value === "object" && value !== null && member in value) {
      const sealed = String((value as Record<string, unknown>)[member]);
      shown[column] = { ...value, [member]: sealer.open(tenantId, place, sealed) };
    }
  }
  if (table === "deliveries" && shown["status"] === "pending") {
    return { ...shown, status: "failed", next_at: null, updated_ts: null };
  }
  if (table === "deliveries") shown["updated_ts"] = null;
  if (table === "tenant_settings") {
    shown["value"] = { ...(shown["value"] as object), enabled: false };
  }
  return shown;
}

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();

for (const [table, rows] of Object.entries(before)) {
  test(`every column of ${table} is the same after a move`, async () => {
    const after = (await rowsOf(target.sql, tenantId))[table] ?? [];
    const isNew = (row: Readonly<Record<string, unknown>>) =>
      table === "changes" && row["subject_type"] === "tenant" && row["action"] === "imported";
    assert.deepEqual(
      sorted(after.filter((row) => !isNew(row)).map((row) => plain(table, row, keys))),
      sorted(rows.map((row) => plain(table, row, source.keys))),
    );
  });
}

test("the tables that are left out have no rows of the moved tenant", async () => {
  for (const name of EXCLUDED) {
    const found = await target.sql.unsafe(`select from "${name}" where ${idColumnOf(name)} = $1`, [
      tenantId,
    ]);
    assert.equal(found.count, 0, name);
  }
});

test("access tokens, records, history and secrets work in the other installation", async () => {
  assert.equal(arrived.handle, "moved");
  const here = client;
  const there = atTarget();
  for (const path of ["/crm/leads", "/crm/deals", "/crm/admin/partners", "/crm/imports"]) {
    assert.deepEqual(ok(await there.get(path)).body, ok(await here.get(path)).body, path);
  }
  const _id = source.leadId;
  const revealed = ok(await there.get(`/crm/leads/${_id}`, { reveal: "ssn" })).body;
  assert.equal(revealed.ssn, SSN);
  const entries = async (one: typeof client) => ok(await one.get(`/crm/leads/${_id}/history`)).body;
  assert.deepEqual((await entries(there)).slice(-2), (await entries(here)).slice(-2));
});

// docs/moving-a-tenant.md#move-a-tenant
test("a cursor of the change feed from the first installation returns 410", async () => {
  const [{ cursor }] = ok(await client.get("/crm/changes", { limit: 5 })).body.changes;
  const gone = await atTarget().get("/crm/changes", { since: cursor });
  assert.equal(gone.status, 410, gone.text);
  assert.equal(gone.body.restart, "/crm/changes?since=now");
  const here = ok(await client.get("/crm/changes", { limit: 1000 })).body.changes;
  // Other tests' transactions can delay the feed.
  const there = await eventually(
    async () => ok(await atTarget().get("/crm/changes", { limit: 1000 })).body.changes,
    (changes: readonly Record<string, unknown>[]) => changes.length >= here.length,
  );
  const ids = there.map(({ id, version }: Record<string, unknown>) => [id, version]);
  assert.deepEqual(
    ids.slice(0, here.length),
    here.map((one: Record<string, unknown>) => [one["id"], one["version"]]),
  );
  const end = String(cursor).endsWith("AA") ? "QA" : "AA";
  const forged = `${String(cursor).slice(0, -2)}${end}`;
  assert.equal((await client.get("/crm/changes", { since: forged })).status, 422);
});

test("a merge can be undone after a move, and takes the social security number back", async () => {
  const there = atTarget();
  const path = `/crm/leads/${source.leadId}`;
  const [merge] = ok(await there.get(`${path}/merges`)).body;
  ok(await there.post(`${path}/merges/${merge.id}/undo`));
  assert.equal(ok(await there.get(path)).body.ssn, null);
});

test("the file alone reveals no secret", async () => {
  const bytes = readFileSync(moved.path);
  for (const secret of [SSN, "Bearer secret", moved.key.text]) {
    assert.equal(bytes.includes(secret), false);
  }
});

/** Returns a client of the target that uses the access token created in the first installation. */
const atTarget = () =>
  new Client(target.url, client.bearer, tenantId, client.personId, () =>
    Promise.reject(new Error("not needed")),
  );
