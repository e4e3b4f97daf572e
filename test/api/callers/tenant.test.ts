/** Tenants over HTTP: several tenants can have the same name, and a handle never changes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok } from "../samples.ts";

const api = await sharedApi();
const TENANT = "/crm/admin/tenant";

const faultsOf = ({ body }: Answer): string[] =>
  body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join(".")} ${type}`);

test("two tenants may have the same name, in either order, and keep their handles", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const mine = ok(await acme.get(TENANT)).body;
  const theirs = ok(await rival.get(TENANT)).body;
  assert.notEqual(mine.handle, theirs.handle);
  for (const [client, before, name] of [
    [acme, mine, theirs.name],
    [rival, theirs, theirs.name],
    [rival, theirs, "default"],
    [acme, mine, "default"],
  ] as const) {
    const { body } = ok(await client.patch(TENANT, { name }));
    assert.deepEqual([body.name, body.id, body.handle], [name, before.id, before.handle]);
  }
});

test("a handle that is sent back unchanged is ignored, a changed one returns 422", async () => {
  const acme = await api.tenant();
  const before = ok(await acme.get(TENANT)).body;
  assert.match(before.handle, /^tenant-\d+$/);
  assert.deepEqual(ok(await acme.patch(TENANT, before)).body, before);
  assert.deepEqual(ok(await acme.patch(TENANT, { handle: before.handle })).body, before);
  for (const [name, value] of [
    ["handle", "mine"],
    ["handle", "default"],
    ["handle", 5],
    ["handle", null],
    ["id", crypto.randomUUID()],
  ] as const) {
    const refused = await acme.patch(TENANT, { name: "Changed", [name]: value });
    assert.equal(refused.status, 422);
    assert.deepEqual(faultsOf(refused), [`body.${name} frozen_field`]);
  }
  const both = await acme.patch(TENANT, { id: "x", handle: "y" });
  assert.deepEqual(faultsOf(both), ["body.id frozen_field", "body.handle frozen_field"]);
  assert.deepEqual(ok(await acme.get(TENANT)).body, before);
});
