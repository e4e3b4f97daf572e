/** A backup from an earlier release is migrated before later erasures and revocations are applied to it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createAccessToken } from "../../src/access/index.ts";
import { createTenant } from "../../src/access/create-tenant.ts";
import { SERVICE } from "../../src/audit/index.ts";
import { takeLogicalBackup, takePhysicalBackup } from "../../src/backup/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { migrate } from "../../src/platform/migrations/index.ts";
import { createSealer, checkMasterKey, type MasterKey } from "../../src/platform/secrets/index.ts";
import { createErasureLog } from "../../src/privacy/index.ts";
import { start } from "../kit/cluster.ts";
import { casesOf } from "../kit/long.ts";
import { openPools, openSession } from "../kit/started.ts";
import { clusterOf, folder, printed, settings } from "../running/leadport.ts";
import { occurrencesOf } from "./person-kit.ts";

/** The last schema version without erasures. */
const EARLIER = 32;
const MASTER_KEY = Buffer.alloc(32, 7);
const keys: MasterKey = { all: [MASTER_KEY] };
const sealer = createSealer(keys);
const clock = systemClock();
const deps = { clock, makeId: idSource(clock), sealer };
const EMAIL = "olga.earlier@example.org";

/**
 * Creates a database of the earlier release with a lead and a token, backups of this database, and an erasure log of
 * the next release.
 */
async function backedUp(t: TestContext) {
  const dataDir = join(folder(t), "data");
  const { url, address } = await start(t, dataDir);
  await migrate(url, address, { version: EARLIER });
  const { sql: db } = openPools(t, { url, address, connections: 2, listTimeout_ms: 10_000 });
  await checkMasterKey(db, keys, 1);
  const { tenant, owner } = await createTenant(db, deps, { name: "Acme" });
  const scope = { db, tenantId: tenant.id, actor: SERVICE };
  const granted = { name: "Old", person: owner, permissions: ["records:read"] as const };
  const token = await createAccessToken(scope, deps, granted);
  const leadId = deps.makeId();
  const body = { _id: leadId, name: "Olga Earlier", email: EMAIL, email_list: [{ email: EMAIL }] };
  await db`
    insert into leads (tenant_id, id, body, tags, email_list, phone_list, created_ts, updated_ts,
                       status_update_date, version)
    values (${tenant.id}, ${leadId}, ${JSON.stringify(body)}::text::json, '{}', ${[EMAIL]}, '{}', 1, 1, 1, 1)`;
  const root = folder(t);
  const source = { url, address, dataDir, data: join(clusterOf(dataDir), "data") };
  await takePhysicalBackup({ ...source, installationId: undefined }, join(root, "physical"));
  await takeLogicalBackup(source, join(root, "logical"), {});
  const about = { at: new Date().toISOString(), tenant_id: tenant.id };
  await createErasureLog(join(root, "erasures.ndjson"), keys, sealer).append([
    {
      ...about,
      kind: "person_erased",
      erasure_id: deps.makeId(),
      records: [{ type: "lead", id: leadId, effect: "erase" }],
      known: { emails: [EMAIL], phones: [] },
    },
    { ...about, kind: "token_revoked", id: token.id },
  ]);
  return { root, tenantId: tenant.id };
}

test("a backup from before erasures is restored, and erased and revoked again", async (t) => {
  const { root, tenantId } = await backedUp(t);
  for (const kind of casesOf(["physical", "logical"], 1)) {
    await t.test(kind, async (t) => {
      const env = { ...settings(t), MASTER_KEY: MASTER_KEY.toString("base64") };
      const restored = await printed(["restore", join(root, kind)], env);
      assert.equal(restored.code, 0, restored.err);
      assert.match(restored.out, /people erased again: 1, credentials revoked again: 1\./);
      const { url } = await start(t, env.DATA_DIR);
      const sql = openSession(t, url);
      assert.deepEqual(await occurrencesOf(sql, tenantId, ["olga"]), []);
      assert.equal((await sql`select from access_tokens where name = 'Old'`).count, 0);
    });
  }
});
