/** The migration that gives tenants their handles, on installations created by earlier versions. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { statementsOf } from "../../src/platform/migrations/statements-of.ts";
import { findFirstTenant } from "../../src/tenants/tenants.ts";
import { HANDLE, SUGGESTED } from "../access/handle-samples.ts";
import { testDatabase } from "../kit/database.ts";

const FOLDER = join(import.meta.dirname, "../../migrations");
const HANDLES = "019.do.tenant-handles.sql";

/** A tenant of an earlier version. `created_as` is its original name, if it has been renamed since. */
interface Earlier {
  readonly name: string;
  readonly created_as?: string;
}

/** Returns an installation with these tenants, oldest first, migrated from the version before handles. */
async function migrated(t: TestContext, tenants: readonly Earlier[]) {
  const { sql } = await testDatabase(t);
  const apply = async (file: string): Promise<void> => {
    for (const statement of statementsOf(readFileSync(join(FOLDER, file), "utf8"))) {
      await sql.unsafe(statement);
    }
  };
  const files = readdirSync(FOLDER).toSorted();
  for (const file of files.slice(0, files.indexOf(HANDLES))) await apply(file);
  for (const [at, { name, created_as = name }] of tenants.entries()) {
    const id = randomUUID();
    await sql`
      insert into tenants (id, name, default_country, timezone, currency, created_ts, updated_ts)
      values (${id}, ${name}, 'US', 'UTC', 'USD', ${1_700_000_000 + at}, ${1_700_000_000 + at})`;
    await sql`
      insert into changes (tenant_id, id, at, subject_type, subject_id, action, actor_kind,
                           actor_id, actor_name, fields)
      values (${id}, ${`c${at}`}, now(), 'tenant', ${id}, 'created', 'service', 'service',
              'Service', ${{ name: [null, created_as] }})`;
  }
  await sql.begin(async () => apply(HANDLES));
  const rows = await sql`select name, handle from tenants order by created_ts`;
  const first = await findFirstTenant(sql);
  return { sql, first: first?.name, handles: rows.map(({ handle }) => handle as string) };
}

const FIRST: readonly (readonly [title: string, tenants: readonly Earlier[], first: string])[] = [
  ["the one called default", [{ name: "default" }, { name: "Acme" }], "default"],
  [
    "the one that an earlier version created after the oldest was renamed, where its token is",
    [{ name: "Acme", created_as: "default" }, { name: "Beta" }, { name: "default" }],
    "default",
  ],
  [
    "the oldest, where the first was renamed",
    [{ name: "Acme", created_as: "default" }, { name: "Beta" }],
    "Acme",
  ],
  [
    "the oldest, where another tenant took the name default",
    [
      { name: "Acme", created_as: "default" },
      { name: "default", created_as: "Mallory" },
    ],
    "Acme",
  ],
  ["the oldest, where none was called default", [{ name: "Acme" }, { name: "Beta" }], "Acme"],
];
for (const [title, tenants, expected] of FIRST) {
  test(`the first tenant is ${title}`, async (t) => {
    const { first, handles } = await migrated(t, tenants);
    assert.equal(first, expected);
    assert.equal(handles[tenants.findIndex(({ name }) => name === expected)], "default");
    assert.equal(new Set(handles).size, tenants.length);
  });
}

test("an installation without tenants has no first one", async (t) => {
  const { sql, first, handles } = await migrated(t, []);
  assert.deepEqual([first, handles], [undefined, []]);
  assert.equal((await sql`select from first_tenant`).length, 0);
});

test("names of every kind become the handles that the program would derive", async (t) => {
  const tenants = SUGGESTED.map(([name]) => ({ name }));
  const { handles } = await migrated(t, [{ name: "default" }, ...tenants]);
  const expected = SUGGESTED.map(([, handle]) => handle);
  for (const [at, handle] of handles.slice(1).entries()) {
    const wanted = expected[at] ?? "";
    const isTaken = expected.indexOf(wanted) < at;
    assert.equal(isTaken ? handle.replace(/-\d+$/, "") : handle, wanted);
  }
  assert.equal(new Set(handles).size, handles.length);
});

test("names whose slugs collide get numbers, which collide with nothing either", async (t) => {
  const long = "x".repeat(60);
  const names = ["default", "ACME", "acme", "Acme.", "acme-2", "Default", `${long}1`, `${long}2`];
  const { handles } = await migrated(
    t,
    names.map((name) => ({ name })),
  );
  assert.deepEqual(handles, [
    "default",
    "acme",
    "acme-2",
    "acme-3",
    "acme-2-2",
    "default-2",
    "x".repeat(50),
    `${"x".repeat(48)}-2`,
  ]);
});

test("a thousand names without a letter are numbered", async (t) => {
  const tenants = Array.from({ length: 1000 }, (_, at) => ({ name: "東".repeat(at + 1) }));
  const { handles } = await migrated(t, [{ name: "default" }, ...tenants]);
  assert.equal(new Set(handles).size, 1001);
  for (const handle of handles) assert.match(handle, HANDLE);
  assert.ok(handles.includes("tenant-1000"));
});
