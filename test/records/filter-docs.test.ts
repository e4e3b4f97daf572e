import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FILTER_OPERATORS } from "../../src/records/filter/tree/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/record-types.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/filters.md"), "utf8");

test("docs/filters.md explains every operator", () => {
  for (const operator of FILTER_OPERATORS) assert.ok(page.includes(`\`${operator}\``), operator);
});

for (const type of Object.values(BUILT_IN_TYPES)) {
  for (const { path, filter } of Object.values(type.lists)) {
    test(`docs/filters.md names what ${path} is filtered by`, () => {
      const row = page
        .split("\n")
        .find((line) => line.includes(`\`${path}\``) && line.startsWith("|"));
      assert.deepEqual(row?.split("|")[2]?.trim().split(", "), filter);
    });
  }
}
