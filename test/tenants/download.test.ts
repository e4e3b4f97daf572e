/** Owners download their tenant as a file: docs/moving-a-tenant.md#the-owners-download. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { readTransferKey } from "../../src/platform/secrets/index.ts";
import { ok } from "../api/samples.ts";
import { movableClock } from "../kit/clock.ts";
import { migratedDatabase } from "../kit/database.ts";
import { fileApi } from "../kit/file-api.ts";
import { temporaryFolder } from "../kit/started.ts";
import { imported } from "./move-kit.ts";

const EXPORTS = "/crm/admin/tenant/exports";
const clock = movableClock();
const api = await fileApi({ clock });

test("an owner downloads a file that another installation imports", async (t) => {
  const acme = await api.tenant();
  const { _id } = ok(await acme.post("/crm/leads", { name: "Ada", ssn: "123-45-6789" })).body;
  const prepared = ok(await acme.post(EXPORTS));
  assert.match(prepared.headers.get("cache-control") ?? "", /no-store/);
  const { id, transfer_key, download } = prepared.body;
  assert.equal(download, `${EXPORTS}/${id}`);
  const answer = await fetch(acme.url + download, {
    headers: { authorization: `Bearer ${acme.bearer}` },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/zip");
  assert.match(answer.headers.get("content-disposition") ?? "", /\.tenant\.zip"$/);
  const path = join(temporaryFolder(t), "business.tenant.zip");
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  const key = readTransferKey(transfer_key);
  assert.ok(key !== undefined);
  const target = await migratedDatabase(t);
  await imported(t, { path, key }, { ...target, keys: { all: [randomBytes(32)] } });
  const leads = await target.sql`select id from leads where tenant_id = ${acme.tenantId}`;
  assert.deepEqual(
    leads.map((row) => row["id"] as string),
    [_id],
  );
  const logged = await api.sql`
    select action from changes
     where tenant_id = ${acme.tenantId} and action in ('export_prepared', 'exported') order by id`;
  assert.deepEqual(
    logged.map(({ action }) => action as string),
    ["export_prepared", "exported"],
  );
});

test("only owners of the tenant can download, and only within an hour", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const { download } = ok(await acme.post(EXPORTS)).body;
  const admin = await acme.token(["admin"]);
  for (const answer of [
    await admin.post(EXPORTS),
    await admin.get(download),
    await rival.get(download),
    await acme.get(`${EXPORTS}/${"0".repeat(56)}`),
  ]) {
    assert.equal(answer.status, 404, answer.text);
  }
  assert.equal((await acme.token(["ssn:read"])).bearer === acme.bearer, false);
  assert.equal((await (await acme.token(["ssn:read"])).post(EXPORTS)).status, 403);
  clock.forward_s(3601);
  assert.equal((await acme.get(download)).status, 404);
});
