/** Data erased and credentials revoked after a backup was taken do not come back when it is restored. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  deleteTenant,
  restoreTenant,
  resumeTenant,
  suspendTenant,
} from "../../src/tenants/state.ts";
import type { TenantId } from "../../src/audit/index.ts";
import { restoreLogical, takeLogicalBackup } from "../../src/backup/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import type { Db } from "../../src/platform/database/index.ts";
import { createSealer, type MasterKey } from "../../src/platform/secrets/index.ts";
import { applyErasureLog, createErasureLog, readErasureLog } from "../../src/privacy/index.ts";
import { listTenants } from "../../src/tenant-data/index.ts";
import { removeSomeDeleted } from "../../src/tenant-data/remove.ts";
import { ok } from "../api/samples.ts";
import { startReceiver } from "../delivery/receiver.ts";
import type { Client } from "../kit/api.ts";
import { testDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import { file, temporaryFolder } from "../kit/started.ts";
import { JANE, occurrencesOf, storePerson } from "./person-kit.ts";

const folder = temporaryFolder(file);
const erasureLog = join(folder, "erasures.ndjson");
const keys: MasterKey = { all: [randomBytes(32)] };
const api = await fileApi({ works: true, erasureLog, keys });
const receiver = await startReceiver(file);
const clock = systemClock();
const deps = { clock, makeId: idSource(clock), sealer: createSealer(keys), participants: [] };

const idOf = ({ tenantId }: Client): TenantId => tenantId as TenantId;

test("a restored backup is erased and revoked again", async (t) => {
  const client = await api.tenant();
  const stored = await storePerson(api, client, receiver);
  const token = ok(
    await client.post("/crm/admin/access_tokens", { name: "Old", permissions: ["records:read"] }),
  ).body;
  const invited = { name: "Invited", email: "invited@example.com", role: "viewer" };
  const user = ok(await client.post("/crm/admin/people", invited)).body;
  const backup = join(folder, "backup");
  const source = { url: api.databaseUrl, address: undefined, dataDir: join(folder, "data") };
  const manifest = await takeLogicalBackup(source, backup, {});

  const { report_id } = ok(
    await client.post("/crm/admin/persons/report", { email: JANE.email }),
  ).body;
  const record_ids = [
    stored.lead,
    stored.contact,
    stored.account,
    stored.task,
    stored.pushed,
    stored.rejected,
    stored.formerly,
  ];
  const request = { report_id, record_ids, review_ids: [stored.noted] };
  assert.equal(ok(await client.post("/crm/admin/persons/erase", request)).body.state, "done");
  ok(await client.delete(`/crm/admin/access_tokens/${token.id}`));
  ok(await client.patch(`/crm/admin/people/${user.id}`, { status: "suspended" }));
  const partnerPath = `/crm/admin/partners/${stored.partner.partner_id}`;
  ok(await client.post(`${partnerPath}/access_code`));
  ok(await client.patch(partnerPath, { status: "suspended" }));
  const { tenantId } = client;
  await eventually(
    () => api.sql`select from unlogged_revocations where tenant_id = ${tenantId}`,
    ({ count }) => count === 0,
  );

  const { sql, url } = await testDatabase(t);
  let before: readonly string[] = [];
  let applied: unknown;
  await restoreLogical(backup, manifest, {
    url,
    address: undefined,
    prepare: async (db: Db) => {
      before = await occurrencesOf(sql, tenantId, ["quimbywick"]);
      const entries = (await readErasureLog(erasureLog, keys)) ?? [];
      const restoredTo = new Date(manifest.finished_at);
      applied = await applyErasureLog(db, deps, entries, restoredTo);
      assert.deepEqual(
        await applyErasureLog(db, deps, entries, restoredTo),
        { persons: 0, revocations: 0 },
        "applying it again finds nothing",
      );
    },
  });
  assert.ok(before.length > 5, "the backup has the person");
  assert.deepEqual(applied, { persons: 1, revocations: 4 });
  // The rejected row was not selected for erasure.
  assert.deepEqual(await occurrencesOf(sql, tenantId, ["quimbywick", "zelda"]), [
    "import_rejects.raw (1)",
  ]);
  const [access] = await sql`select from access_tokens where id = ${token.id}`;
  assert.equal(access, undefined);
  const [person] = await sql`select is_suspended from people where id = ${user.id}`;
  assert.equal(person?.["is_suspended"], true);
  const partners = await Promise.all(
    [sql, api.sql].map(async (db) => {
      const [row] = await db`
        select status, access_code_hash from partners where id = ${stored.partner.partner_id}`;
      return row;
    }),
  );
  assert.equal(partners[0]?.["status"], "suspended");
  assert.deepEqual(partners[0]?.["access_code_hash"], partners[1]?.["access_code_hash"]);
});

test("tenants that were suspended or deleted after a backup are suspended again", async (t) => {
  const suspended = await api.tenant();
  const deleted = await api.tenant();
  const resumed = await api.tenant();
  await suspendTenant(api.sql, deps, idOf(resumed));
  const backup = join(folder, "tenants");
  const source = { url: api.databaseUrl, address: undefined, dataDir: join(folder, "data") };
  const manifest = await takeLogicalBackup(source, backup, {});
  await suspendTenant(api.sql, deps, idOf(suspended));
  await suspendTenant(api.sql, deps, idOf(deleted));
  await deleteTenant(api.sql, deps, idOf(deleted), true);
  while (await removeSomeDeleted(api.sql, clock));
  assert.equal((await api.sql`select from tenants where id = ${deleted.tenantId}`).count, 0);
  await resumeTenant(api.sql, deps, idOf(resumed));
  await eventually(
    () => api.sql`select from unlogged_revocations`,
    ({ count }) => count === 0,
  );
  const { sql, url } = await testDatabase(t);
  await restoreLogical(backup, manifest, {
    url,
    address: undefined,
    prepare: async (db: Db) => {
      const entries = (await readErasureLog(erasureLog, keys)) ?? [];
      await applyErasureLog(db, deps, entries, new Date(manifest.finished_at));
    },
  });
  const states = (await listTenants(sql as Db)).map(({ id, state }) => [id, state] as const);
  const stateOf = new Map(states);
  assert.deepEqual(
    [suspended, deleted, resumed].map(({ tenantId }) => stateOf.get(tenantId)),
    ["suspended", "deleted", "active"],
  );
  // Deleted tenants are not removed yet, because the backup may have been restored to recover a tenant.
  assert.equal(await removeSomeDeleted(sql as Db, clock), false);
  await restoreTenant(sql, deps, idOf(deleted));
});

test("a line that was cut by a crash is left out, one that was changed is refused", async () => {
  const path = join(folder, "own.ndjson");
  const log = createErasureLog(path, keys, deps.sealer);
  const entry = {
    kind: "token_revoked",
    at: "2026-12-24T10:00:00.000Z",
    tenant_id: "a",
    id: "b",
  } as const;
  await log.append([entry]);
  await appendFile(path, '{"v":1,"kind":"token_rev');
  await log.append([{ ...entry, id: "c" }]);
  const read = await readErasureLog(path, keys);
  assert.deepEqual(
    read?.map((one) => "id" in one && one.id),
    ["b", "c"],
  );
  assert.equal(await readErasureLog(join(folder, "none.ndjson"), keys), undefined);
  await assert.rejects(readErasureLog(path, { all: [randomBytes(32)] }), /Line 1 .*master key/);
  await writeFile(path, (await readFile(path, "utf8")).replace('"id":"b"', '"id":"d"'));
  await assert.rejects(readErasureLog(path, keys), /was changed/);
});
