/**
 * Adding a module takes its folder, a migration and its entry in the list of modules. The test adds the module in
 * `bookmarks` to a copy of the project, which must then compile, describe and check the module's operations, and do its
 * background work.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type * as Kit from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { casesOf, isLong } from "../kit/long.ts";
import type * as Started from "../kit/started.ts";
import type * as Modules from "../../src/service/modules.ts";
import type * as Tables from "../../src/tenant-data/tables.ts";
import { bookmarksModule } from "./bookmarks/index.ts";
import { type Additions, copyProject, runIn, runTests } from "./project-copy.ts";

const MIGRATION = `create table bookmarks (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  url text not null,
  created_ts bigint not null,
  primary key (tenant_id, id)
);

create table bookmark_visits (
  tenant_id uuid not null references tenants,
  bookmark_id text collate "C" not null,
  visits bigint not null,
  primary key (tenant_id, bookmark_id)
);
`;

const PERMISSIONS = `/** The requirements of the operations on bookmarks. */

export const PERMISSIONS = {
  "records:read": "GET /crm/bookmarks/{bookmark_id}",
  "records:write": "POST /crm/bookmarks",
};
`;

/** The tests that check what modules contribute. The short form shows that they include the module. */
const SUITES = casesOf(
  [
    "api/callers/permissions",
    "privacy/registry",
    "api/callers/strangers",
    "reference/examples",
    "reference/rules",
    "tenants/suspend",
  ],
  2,
).map((name) => `test/${name}.test.ts`);

/** Returns a file of the module as it is in `src/bookmarks`. */
const moduleFile = (name: string): string =>
  readFileSync(join(import.meta.dirname, "bookmarks", name), "utf8").replaceAll(
    "../../../src/",
    "../",
  );

const ADDITIONS: Additions = {
  files: {
    "migrations/900.do.bookmarks.sql": MIGRATION,
    "src/bookmarks/index.ts": moduleFile("index.ts"),
    "src/bookmarks/routes.ts": moduleFile("routes.ts"),
    "test/bookmarks/permission-table.ts": PERMISSIONS,
  },
  changes: {
    "src/service/modules.ts": [
      [
        "\nimport { demo",
        '\nimport { bookmarksModule } from "../bookmarks/index.ts";\nimport { demo',
      ],
      ["  platformModule,\n];", "  platformModule,\n  bookmarksModule,\n];"],
    ],
  },
};

test("a module is its folder, a migration and its entry in the list of modules", async (t) => {
  const copy = await copyProject(t, ADDITIONS);
  const load = (path: string): Promise<unknown> => import(join(copy, path));
  await t.test("the service compiles", async () => {
    await runIn(copy, "tsc", "-p", ".");
  });
  await t.test("openapi.json contains the operations, after all others", async () => {
    const printed = JSON.parse(await runIn(copy, "node", "src/main.ts", "openapi"));
    assert.deepEqual(Object.keys(printed.paths["/crm/bookmarks"]), ["post"]);
    assert.ok("Bookmark" in printed.components.schemas);
    const { tags } = bookmarksModule;
    assert.deepEqual(printed.tags.at(-1), { name: "bookmarks", description: tags.bookmarks });
  });
  await t.test("permissions, isolation, columns and background work are checked", async () => {
    await runTests(copy, ...SUITES);
    if (!isLong) return;
    await runTests(
      copy,
      "--test-name-pattern=every module imports only",
      "test/structure/tidy.test.ts",
    );
  });
  const { startApi } = (await load("test/kit/api.ts")) as typeof Kit;
  const started = (await load("test/kit/started.ts")) as typeof Started;
  const { EXCLUDED_FROM_EXPORT } = (await load("src/service/modules.ts")) as typeof Modules;
  const { tenantTables } = (await load("src/tenant-data/tables.ts")) as typeof Tables;
  // This test ends what the copy's kit started, instead of the kit itself.
  started.startFolder();
  await t.test("bookmarks are created, read, purged and exported", async (inner) => {
    const api = await startApi(inner, { works: true });
    const acme = await api.tenant();
    const reader = await acme.token(["records:read"]);
    const url = "https://example.com/";
    const { body: bookmark } = await acme.post("/crm/bookmarks", { url });
    const path = `/crm/bookmarks/${bookmark.id}`;
    assert.deepEqual((await reader.get(path)).body, { id: bookmark.id, url });
    assert.equal((await reader.post("/crm/bookmarks", { url })).status, 403);
    assert.equal((await (await api.tenant()).get(path)).status, 404);
    assert.equal((await acme.post("/crm/bookmarks", {})).status, 422);
    const tables = await tenantTables(api.sql, Object.keys(EXCLUDED_FROM_EXPORT));
    const names = tables.map(({ name }) => name).filter((name) => name.startsWith("bookmark"));
    assert.deepEqual(names, ["bookmarks"]);
    await api.sql`update bookmarks set created_ts = 0`;
    await eventually(async () => (await reader.get(path)).status === 404);
  });
  await started.endAllFiles();
});
