/** Pages and files that are generated from the code are up to date. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import test from "node:test";
import { PERMISSIONS } from "../../src/access/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { PAGES } from "../../src/reference/docs/index.ts";
import { exchangeSchemas } from "../../src/exchange/index.ts";
import { FIRST, STATUSES, TRANSITIONS } from "../../src/exchange/pushed-leads/states.ts";
import { PARTNER_PERMISSIONS } from "../../src/exchange/partners/partner-bodies.ts";
import { ACTIONS } from "../../src/exchange/review/review.ts";
import { errorCatalog, ISSUE_TYPES } from "../../src/platform/errors/errors.ts";
import type { Schema } from "../../src/platform/validation/validation.ts";
import { FILTER_OPERATORS } from "../../src/records/filter/tree/index.ts";
import { startApi } from "../kit/api.ts";
import { sdkRecords } from "../../tools/sdk-records.ts";
import { TYPE_TABLES, withTable } from "../../tools/type-tables.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test("openapi.json is what the service returns and `leadport openapi` prints", async (t) => {
  // The fixed clock determines the end date in the examples of time ranges.
  const api = await startApi(t, { clock: { now_ms: () => Date.UTC(2026, 10, 21, 12) } });
  const answered: unknown = await (await fetch(`${api.url}/openapi.json`)).json();
  const printed = JSON.parse(read("openapi.json")) as object;
  assert.deepEqual(answered, { ...printed, servers: [{ url: api.url }] });
  assert.deepEqual((printed as { servers: unknown }).servers, [{ url: "http://127.0.0.1:8080" }]);
});

for (const [name, page] of Object.entries(PAGES)) {
  test(`docs/${name}.md is what \`leadport docs ${name}\` prints`, () =>
    assert.equal(read(`docs/${name}.md`), page(BUILT_IN_TYPES)));
}

test("the client knows where records of each type are read and written", () =>
  assert.equal(read("sdk/src/records.ts"), sdkRecords(), "Run `npm run print`."));

for (const table of TYPE_TABLES) {
  test(`the table in ${basename(table.page)} follows from the record types`, () =>
    assert.equal(readFileSync(table.page, "utf8"), withTable(table), "Run `npm run print`."));
}

test("every error, issue type, permission and filter operator is documented", () => {
  const missing = [
    ...Object.values(errorCatalog)
      .filter(([, sentence]) => !read("docs/errors.md").includes(sentence))
      .map(([, sentence]) => sentence),
    ...ISSUE_TYPES.filter((name) => !read("docs/errors.md").includes(`\`${name}\``)),
    ...Object.keys(PERMISSIONS).filter((name) => !read("docs/tokens.md").includes(`\`${name}\``)),
    ...FILTER_OPERATORS.filter((name) => !read("docs/filters.md").includes(`\`${name}\``)),
  ];
  assert.deepEqual(missing, []);
});

const GUIDE = "docs/partner-exchange.md";

/** Returns the table cells below a heading of the guide, without column headers and backticks. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, after = ""] = `\n${read(GUIDE)}`.split(`\n${heading}\n`);
  const [section = ""] = after.split(/\n#+ /);
  return section
    .replaceAll(/^\|.*\n\|-.*\n/gm, "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.replaceAll("`", "").trim()));
}

const namesBelow = (heading: string): readonly string[] =>
  rowsBelow(heading)
    .flatMap(([first = ""]) => first.split(", "))
    .toSorted();

const propertiesOf = (shape: string): Readonly<Record<string, Schema>> =>
  exchangeSchemas(BUILT_IN_TYPES)[shape]?.["properties"] as Record<string, Schema>;

test("every setting and permission of a partner, and every field of a push, is documented", () => {
  const settings = Object.keys(propertiesOf("PartnerRequest"));
  const expected = [...settings, ...Object.keys(PARTNER_PERMISSIONS)].toSorted();
  assert.deepEqual(namesBelow("### Create a partner"), expected);
  // In the guide's table, a field's alternative name is in the same row as its main name.
  const second = "match_preferences_dict";
  const fields = Object.keys(propertiesOf("PartnerPushRequest"));
  assert.deepEqual([...namesBelow("### Push a lead"), second].toSorted(), fields.toSorted());
  assert.ok(read(GUIDE).includes(`also accepted as \`${second}\``));
});

/** Returns who triggers an event: reviewers (or auto accept, for `accept`), or the clock. */
function moversOf(event: string): string {
  if (!(ACTIONS as readonly string[]).includes(event)) return "clock";
  return event === "accept" ? "tenant or auto_accept" : "tenant";
}

test("the guide's table of transitions is that of the code", () => {
  const moves = Object.entries(TRANSITIONS).map(([event, { from, to }]) =>
    [from, event, moversOf(event), to].join(),
  );
  const told = rowsBelow("# The partner exchange").map((cells) => cells.slice(0, 4).join());
  assert.deepEqual(told.toSorted(), [`–,push,partner,${FIRST}`, ...moves].toSorted());
});

test("the guide and histories name the same authors of transitions", () => {
  const { items } = propertiesOf("PushedLead")["history"] as { items: { properties: object } };
  const { by } = items.properties as { by: { enum: readonly string[] } };
  const told = rowsBelow("# The partner exchange").flatMap(([, , who = ""]) => who.split(" or "));
  assert.deepEqual([...new Set(told)].toSorted(), by.enum.toSorted());
});

test("the picture of the states shows each state and transition once, and no others", () => {
  const picture = read("docs/pushed-lead-states.svg");
  const texts = (kind: string): readonly string[] =>
    [...picture.matchAll(new RegExp(`<text class="${kind}"[^>]*>([^<]+)</text>`, "g"))]
      .map(([, text = ""]) => text)
      .toSorted();
  assert.deepEqual(texts("name"), STATUSES.toSorted());
  assert.deepEqual(texts("event"), ["push", ...Object.keys(TRANSITIONS)].toSorted());
  // The image's alt text must name every state as well.
  const [, alt = ""] = /!\[([^\]]+)\]\(pushed-lead-states\.svg\)/.exec(read(GUIDE)) ?? [];
  for (const status of STATUSES) assert.ok(alt.toLowerCase().includes(status), status);
});
