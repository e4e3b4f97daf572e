/**
 * The previous release serves the database while and after it is migrated, so a step may not remove, tighten or rewrite
 * what that release uses. docs/extending.md explains contract steps and back-fills.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readStatements, statementsOf } from "../../src/platform/migrations/statements-of.ts";
import { ownMigrations, type Step } from "../../src/platform/migrations/steps.ts";

/** The step that introduced upgrades while earlier releases run. */
const FIRST = 39;

/** Statements that break the previous release or block its requests, each with what to do instead. */
const RULES: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^drop (?!index concurrently)/, "only in a contract step"],
  [/^alter table .*\b(?:drop|rename)\b/, "only in a contract step"],
  [/^alter table .*\balter (?:column )?\w+ (?:set not null|type)\b/, "only in a contract step"],
  [
    /^alter table .*\badd (?:column )?(?!constraint)\w+ .*\bnot null\b(?!.*\bdefault\b)/,
    "needs a default",
  ],
  [/^alter table .*\badd constraint (?!.*\bnot valid\b)/, "add it as not valid"],
  [
    /^create (?:or replace )?(?:trigger|rule)\b/,
    "earlier releases would run it: only in a contract step",
  ],
  [/^create (?:unique )?index (?!concurrently)/, "build it concurrently"],
  [/^(?:update|delete from|truncate)\b/, "use a back-fill"],
];

/** Returns what is wrong with a step. Statements on tables that the step itself creates are always right. */
function faultsOf({ from }: Pick<Step, "from">, script: readonly string[]): readonly string[] {
  const statements = script.map((text) => text.toLowerCase().replaceAll(/\s+/g, " "));
  const created = statements.flatMap(
    (text) => /^create (?:unlogged )?table (\w+)/.exec(text)?.[1] ?? [],
  );
  const isOwn = (text: string): boolean =>
    created.some((table) => new RegExp(`\\b(?:on|table|update|from) ${table}\\b`).test(text));
  if (from !== undefined) return [];
  return statements.flatMap((text) =>
    isOwn(text)
      ? []
      : RULES.filter(([pattern]) => pattern.test(text)).map(([, advice]) => `${text}: ${advice}`),
  );
}

const own = ownMigrations();
const { steps, backfills } = own;

test("each step keeps what the previous release uses", () => {
  const faults = steps
    .filter(({ version }) => version >= FIRST)
    .flatMap((step) => faultsOf(step, readStatements(own, step)));
  assert.deepEqual(faults, []);
});

test("a contract step keeps the release before it, and its back-fills exist", () => {
  for (const { file, version, from, after } of steps) {
    assert.ok(from === undefined || (from < version && from >= FIRST), file);
    for (const name of after)
      assert.ok(
        backfills.some((one) => one.name === name),
        `${file}: ${name}`,
      );
  }
});

const BREAKING = [
  "drop table tasks",
  "drop function open_pushes(uuid)",
  "alter table leads drop column region",
  "alter table leads rename to prospects",
  "alter table leads alter column region set not null",
  "alter table leads alter region type integer",
  "alter table leads add column region text not null",
  "alter table leads add constraint short check (length(region) < 5)",
  "create index leads_region on leads (region)",
  "create unique index leads_region on leads (region)",
  "create trigger fill before insert on leads for each row execute function fill()",
  "update leads set region = 'north'",
  "delete from leads where region is null",
];
for (const statement of BREAKING) {
  test(`"${statement}" is found, but not in a contract step`, () => {
    assert.equal(faultsOf({}, [statement]).length, 1);
    assert.deepEqual(faultsOf({ from: 39 }, [statement]), []);
  });
}

const KEEPING = [
  "alter table leads add column region text",
  "alter table leads add column region text not null default ''",
  "alter table leads add constraint short check (length(region) < 5) not valid",
  "create index concurrently leads_region on leads (region)",
  "drop index concurrently if exists leads_region",
  "create table notices (id text primary key); create index notices_text on notices (text)",
  "insert into schema_state (serves_from) values (39)",
];
for (const script of KEEPING) {
  test(`"${script}" keeps what the previous release uses`, () =>
    assert.deepEqual(faultsOf({}, statementsOf(script)), []));
}
