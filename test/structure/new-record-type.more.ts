/**
 * Adding a record type takes one file, one line and one migration. The test adds a type for notes
 * to a copy of the project, which must then compile, print its documents, and pass the tests that
 * read the record types.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { assertCounts, importFile } from "../files/imports/sending.ts";
import type * as Kit from "../kit/api.ts";
import { isLong } from "../kit/long.ts";
import type * as Started from "../kit/started.ts";
import { type Additions, copyProject, runIn, runTests } from "./project-copy.ts";

const NOTE = `/** A text about an account. */

import { choice, reference, tags, text, type TypeDefinition } from "./define.ts";

export const note = {
  name: "note",
  schemaName: "Note",
  idName: "note_id",
  table: "notes",
  writePath: "/crm/notes",
  readPaths: ["/crm/notes"],
  description: "A text about an account.",
  fields: {
    name: text("The title of the note.", 500, { required: true }),
    content: text("The text of the note.", 20_000),
    status: choice("The status.", ["open", "done"], { fallback: "open" }),
    account_id: reference("account"),
    tags: tags(),
    external_id: text("The record's id in another system.", 200),
  },
  aliases: {},
  statusField: "status",
  derived: { account_name: { kind: "name_of", reference: "account_id" } },
  timestamp: false,
  isDeletable: true,
  lists: {
    all: { path: "/crm/notes", on: "created_ts", filter: ["name", "status", "account_id", "tags"] },
  },
} as const satisfies TypeDefinition;
`;

const MIGRATION = `create table notes (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  name text collate "C",
  status text collate "C",
  account_id text collate "C",
  tags text[] collate "C" not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index notes_external_id on notes (tenant_id, external_id) where external_id is not null;
create index notes_created_ts on notes (tenant_id, created_ts, id);
create index notes_updated_ts on notes (tenant_id, updated_ts, id);
create index notes_status_update_date on notes (tenant_id, status_update_date, id);
create index notes_name on notes (tenant_id, name nulls first, id);
create index notes_status on notes (tenant_id, status nulls first, id);
create index notes_account_id on notes (tenant_id, account_id nulls first, id);
create index notes_tags on notes using gin (tags) with (fastupdate = off);
`;

/** Fast tests that depend on the record types, without the page tests, which run separately. */
const SUITES = [
  "api/writes/every-type",
  "conformance/filterable-fields",
  "conformance/isolation",
  "conformance/printed",
  "files/imports/mapping",
  "pages/shell/palette-filter",
  "records/openapi",
].map((name) => `test/${name}.test.ts`);

const LONG_SUITES = [
  ...["callers/permissions", "callers/strangers", "keys/by-key"].map((name) => `api/${name}`),
  ...["lists/copied-lists", "lists/every-list", "writes/batch"].map((name) => `api/${name}`),
  "conformance/shared-parameters",
  "conformance/windows",
  "events/events",
  "files/exports/round-trip",
  "files/imports/export-columns",
  "files/read/whole-columns",
  "pages/settings/settings-data",
  "records/filter-docs",
  "records/filter-refusals",
  "structure/tidy",
].map((name) => `test/${name}.test.ts`);

const ADDITIONS: Additions = {
  files: { "src/records/types/note.ts": NOTE, "migrations/900.do.notes.sql": MIGRATION },
  changes: {
    "src/records/types/record-types.ts": [
      ["import { order }", 'import { note } from "./note.ts";\nimport { order }'],
      ["task };", "task, note };"],
    ],
  },
};

test("a record type is one file, one line and one migration", async (t) => {
  const copy = await copyProject(t, ADDITIONS);
  await t.test("documents and the client are printed", async () => {
    await runIn(copy, "npm", "run", "-s", "print");
  });
  await t.test("service, client and console compile", async () => {
    for (const project of [".", "sdk", "console"]) await runIn(copy, "tsc", "-p", project);
  });
  await t.test("the tests of all types pass", async () => {
    const passed = await runTests(copy, ...SUITES, ...(isLong ? LONG_SUITES : []));
    t.diagnostic(`${passed} tests pass`);
    assert.ok(passed > (isLong ? 500 : 150), `${passed} tests pass`);
  });
  if (isLong) {
    await t.test("a note is created in its form", async () => {
      const passed = await runTests(
        copy,
        "--test-name-pattern=can be created with its form",
        "test/pages/records/record-forms.more.ts",
      );
      assert.equal(passed, 1);
    });
  }
  const { startApi } = (await import(join(copy, "test/kit/api.ts"))) as typeof Kit;
  const started = (await import(join(copy, "test/kit/started.ts"))) as typeof Started;
  // This test ends what the copy's kit started, instead of the kit itself.
  started.startFolder();
  await t.test("notes are imported, read, changed and deleted", async (inner) => {
    const client = await (await startApi(inner)).tenant();
    const account = await client.post("/crm/accounts", { name: "Harbour Works" });
    const file =
      "Note ID,Note Name,Content,Note Status,Account\r\n" +
      "7,First call,They ask for a crane,done,Harbour Works\r\n" +
      "8,,They ask for two,open,Elsewhere\r\n";
    assertCounts(await importFile(client, "notes", file), { rows: 2, created: 2 });
    assertCounts(
      await importFile(client, "note", file, { mode: "upsert", external_id: "Note ID" }),
      {
        rows: 2,
        unchanged: 2,
      },
    );
    const { body: listed } = await client.get("/crm/notes", { sort_dict: { name: 1 } });
    const [first, second] = listed;
    const { name, status, account_id, account_name, external_id } = first;
    const expected = { name: "First call", status: "done", external_id: "7" };
    const about = { account_id: account.body._id, account_name: "Harbour Works" };
    assert.deepEqual(
      { name, status, external_id, account_id, account_name },
      { ...expected, ...about },
    );
    assert.deepEqual(
      [second.name, second.account_id, second.content],
      ["They ask for two", null, "They ask for two\nAccount in the file: Elsewhere"],
    );
    const filter = { match_filter_dict: { status: "done" } };
    assert.equal((await client.get("/crm/notes", filter)).body.length, 1);
    const path = `/crm/notes/${first._id}`;
    assert.equal((await client.patch(path, { status: "open", tags: ["vip"] })).body.version, 2);
    assert.equal((await client.get("/crm/notes", filter)).body.length, 0);
    assert.deepEqual((await client.delete(path)).body, { deleted: true, ids: [first._id] });
    assert.equal((await client.get(path)).status, 404);
    const task = { name: "Call", subject_type: "note", subject: second._id };
    assert.equal((await client.post("/crm/tasks", task)).status, 200);
  });
  await started.endAllFiles();
});
