/** Tenant files from older releases can also be imported: docs/moving-a-tenant.md#how-a-file-is-checked. */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { migrate } from "../../src/platform/migrations/migrate.ts";
import { SEALED } from "../../src/tenant-data/sealed-values.ts";
import { migratedDatabase, testDatabase } from "../kit/database.ts";
import { openSession } from "../kit/started.ts";
import { exported, imported } from "./move-kit.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [randomBytes(32)] };
/** A schema version from before deals had `lost_reason` and records had a column for their partner. */
const OLDER = 29;
const DEAL = "6530a1b2c3d4e5f601234567";
const PARTNER = "6530a1b2c3d4e5f601234568";

test("the rows of an older release are migrated", async (t) => {
  const { url } = await testDatabase(t);
  await migrate(url, undefined, { version: OLDER });
  const sql = openSession(t, url, { max: 2 });
  const tenantId = randomUUID();
  await sql`
    insert into tenants (id, handle, name, default_country, timezone, currency, created_ts, updated_ts)
    values (${tenantId}, 'older', 'Older', 'US', 'UTC', 'USD', 1, 1)`;
  const body = {
    _id: DEAL,
    id: DEAL,
    name: 'Two "cranes"',
    account_id: null,
    contact_id: null,
    stage: "discovery",
    partner_id: PARTNER,
  };
  await sql`
    insert into deals (tenant_id, id, body, stage, created_ts, updated_ts, status_update_date, version)
    values (${tenantId}, ${DEAL}, ${JSON.stringify(body)}::text::json, 'discovery', 1, 1, 1, 1)`;
  const file = await exported(t, sql, { keys, tenantId });
  assert.equal(file.manifest.schema_version, OLDER);
  const target = await migratedDatabase(t);
  await imported(t, file, { sql: target.sql, keys, isOlder: true });
  const [deal] = await target.sql`select body, partner_id from deals where tenant_id = ${tenantId}`;
  assert.deepEqual(deal?.["body"], { ...body, lost_reason: null });
  assert.equal(deal?.["partner_id"], PARTNER);
  const [tenant] = await target.sql`select handle, is_suspended from tenants`;
  assert.deepEqual({ ...tenant }, { handle: "older", is_suspended: false });
});

/** Source files that seal values, each with the tables of tenant files that contain the sealed values. */
const SEALING: Readonly<Record<string, readonly string[]>> = {
  "records/body/ssn.ts": ["leads", "contacts", "merged_records", "merges"],
  "events/webhook-row.ts": ["event_webhooks"],
  "exchange/callouts/setting.ts": ["tenant_settings"],
  "people/credentials/second-factor.ts": ["people"],
  "privacy/stored-plan.ts": ["person_erasures"],
  // Reports are not in tenant files.
  "privacy/reports.ts": [],
  "platform/operations/idempotency.ts": [],
};

test("every table with sealed values is known to tenant files", () => {
  const root = join(import.meta.dirname, "../../src");
  const sealing = readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith(".ts") && !path.startsWith("platform/secrets/"))
    .filter((path) => /sealer\.seal\(/.test(readFileSync(join(root, path), "utf8")));
  assert.deepEqual(sealing.toSorted(), Object.keys(SEALING).toSorted());
  assert.deepEqual(Object.values(SEALING).flat().toSorted(), Object.keys(SEALED).toSorted());
});
