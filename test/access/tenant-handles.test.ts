/**
 * Tenant handles: suggested from names, numbered if they are taken, rejected if they are invalid, and unique even for
 * tenants created concurrently.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createFirstTenant, findTenant } from "../../src/tenants/tenants.ts";
import { createTenant } from "../../src/access/create-tenant.ts";
import { handleOf } from "../../src/tenants/handles.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { migratedDatabase, type TestDatabase } from "../kit/database.ts";
import { HANDLE, SUGGESTED } from "./handle-samples.ts";
import { runsOf } from "../kit/long.ts";

const clock = systemClock();
const deps = { clock, makeId: idSource(clock) };

for (const [name, handle] of SUGGESTED) {
  test(`${JSON.stringify(name)} suggests ${handle}`, () => assert.equal(handleOf(name), handle));
}

test("every name suggests a valid handle, and that handle suggests itself", () => {
  const names = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.stringMatching(/^[a-zA-Z0-9 .,&-]{0,200}$/),
    fc.uuid(),
  );
  fc.assert(
    fc.property(names, (name) => {
      const handle = handleOf(name);
      assert.match(handle, HANDLE);
      assert.equal(handleOf(handle), handle);
    }),
    { numRuns: runsOf(2000) },
  );
});

const handlesIn = async (sql: TestDatabase["sql"]): Promise<string[]> =>
  (await sql`select handle from tenants order by handle`).map(({ handle }) => handle as string);

test("tenants with the same name that are created at the same time get numbered handles", async (t) => {
  const { sql } = await migratedDatabase(t);
  await Promise.all(Array.from({ length: 8 }, () => createTenant(sql, deps, { name: "Acme" })));
  assert.deepEqual(await handlesIn(sql), [
    "acme",
    ...[2, 3, 4, 5, 6, 7, 8].map((number) => `acme-${number}`),
  ]);
});

test("a number fits into the length of a handle", async (t) => {
  const { sql } = await migratedDatabase(t);
  for (let at = 0; at < 2; at += 1) await createTenant(sql, deps, { name: "x".repeat(200) });
  assert.deepEqual(await handlesIn(sql), [`${"x".repeat(48)}-2`, "x".repeat(50)]);
});

test("of several first starts at the same time, one creates the first tenant", async (t) => {
  const { sql } = await migratedDatabase(t);
  const created = await Promise.all(Array.from({ length: 4 }, () => createFirstTenant(sql, deps)));
  assert.equal(created.filter((tenant) => tenant !== undefined).length, 1);
  assert.deepEqual(await handlesIn(sql), ["default"]);
  assert.equal(await createFirstTenant(sql, deps), undefined);
});

test("only the first tenant gets the handle default, whatever its name", async (t) => {
  const { sql } = await migratedDatabase(t);
  await createTenant(sql, deps, { name: "default" });
  await assert.rejects(createTenant(sql, deps, { name: "x", handle: "default" }), /is reserved/);
  const first = await createFirstTenant(sql, deps);
  assert.equal((await findTenant(sql, "default"))?.id, first?.id);
  assert.deepEqual(await handlesIn(sql), ["default", "default-2"]);
});

test("a tenant is found by handle and id, not by name", async (t) => {
  const { sql } = await migratedDatabase(t);
  const { tenant } = await createTenant(sql, deps, { name: "Nordlys AS", handle: "north" });
  for (const text of ["north", tenant.id, tenant.id.toUpperCase()]) {
    assert.equal((await findTenant(sql, text))?.id, tenant.id);
  }
  for (const text of ["Nordlys AS", "nordlys-as", "North", "", "'", crypto.randomUUID()]) {
    assert.equal(await findTenant(sql, text), undefined);
  }
});

const MALFORMED = ["a", "Acme", "3m", "-a", "a b", "a_b", "a\n", "é-x", "x".repeat(51), ""];
test("a malformed handle is rejected by the program and by the database", async (t) => {
  const { sql } = await migratedDatabase(t);
  const { tenant } = await createTenant(sql, deps, { name: "x", handle: "fine" });
  for (const handle of [...MALFORMED, "abcdef01-2345-6789-abcd-ef0123456789"]) {
    await assert.rejects(createTenant(sql, deps, { name: "x", handle }), {
      code: "conflict",
      message: /^The handle ".*" is not valid\. A handle must have 2 to 50 lowercase letters/s,
    });
    await assert.rejects(
      sql`update tenants set handle = ${handle} where id = ${tenant.id}`,
      /tenants_handle_check/,
    );
  }
});

test("a taken handle is rejected", async (t) => {
  const { sql } = await migratedDatabase(t);
  await createTenant(sql, deps, { name: "x", handle: "acme" });
  await assert.rejects(createTenant(sql, deps, { name: "y", handle: "acme" }), {
    message:
      'The handle "acme" is taken. Choose another one. Run leadport tenant list to see all tenants.',
  });
});
