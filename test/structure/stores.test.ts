/** Only `records/store` writes the tables of records, and only one statement writes to the change log. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TABLES } from "../../src/records/types/index.ts";
import { readSources } from "../../tools/sources.ts";

const sources = readSources("src");

/** The statements that write a table whose name the code computes, or a table of records. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  "records/store/statements.ts": [
    "insert into ${table}",
    "insert into ${table}",
    "update ${table}",
    "update ${table}",
    "delete from ${tableSql(type).table}",
  ],
  // Stores when the credentials in one of their tables were last used.
  "access/credential-registry.ts": ["update ${raw(of.table)}"],
  // Removes a tenant from all tables, which needs no history.
  "tenant-data/remove.ts": ["delete from ${raw(table)}"],
  // Backups and tenant files contain whole tables, with the history of the records.
  "backup/logical.ts": ["copy ${columns([name]).text}"],
  "backup/restore-logical.ts": ["truncate ${columns(names)}"],
};

const TABLE = String.raw`(?:only )?"?(?<table>\$\{[^\`]*?\}(?=[\s(;\`])|[a-z_]+)`;
const WRITE = new RegExp(
  String.raw`\b(?<verb>insert into|delete from|merge into|truncate(?: table)?|copy|update(?= \S+ (?:as )?(?:\w+ )?set\b)) ${TABLE}`,
  "g",
);

/** Returns the statements in a source text that may write the tables of records, up to the name of the table. */
const writesIn = (text: string): readonly string[] =>
  [...text.replaceAll(/\s+/g, " ").matchAll(WRITE)].flatMap(({ groups = {} }) => {
    const { verb = "", table = "" } = groups;
    return table.startsWith("${") || RECORD_TABLES.has(table) ? [`${verb} ${table}`] : [];
  });

test("statements that may write records are found", () => {
  const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
    ["run(db)`insert into leads (id) values (1)`", ["insert into leads"]],
    ["run(db)`\n  insert into ${raw(type.table)} (id)`", ["insert into ${raw(type.table)}"]],
    ["run(db)`update ${tableSql(type).table} t\n set a = 1`", ["update ${tableSql(type).table}"]],
    ["sql`with d as (delete from only deals where a) select`", ["delete from deals"]],
    ["sql`merge into ${table} t using s`", ["merge into ${table}"]],
    ["`truncate contacts`", ["truncate contacts"]],
    ["sql`update partners set name = ${name}`", []],
    ["sql`select from leads where id = ${id} for update`", []],
    ["sql`on conflict do update set value = 1`", []],
    ["summary: `Create or update ${one} by its id`", []],
  ];
  for (const [text, found] of cases) assert.deepEqual(writesIn(text), found, text);
});

test("only the store writes records", () => {
  const found = sources.flatMap(({ path, text }) => {
    const statements = writesIn(text);
    return statements.length === 0 ? [] : [[path, statements] as const];
  });
  assert.deepEqual(Object.fromEntries(found), WRITERS);
});

test("a single statement writes to the change log", () => {
  const writing = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\binsert into changes\b/g)].map(() => path),
  );
  assert.deepEqual(writing, ["audit/log-change.ts"]);
});
