/**
 * Only the registry knows which record types a tenant has. All other code asks it, or gets the types that describe the
 * API as a value.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readSources } from "../../tools/sources.ts";

/** The files that may read the built-in types. */
const READERS = [
  // Prints the generated pages, which describe the API.
  "commands/docs.ts",
  // Checks the records of all tenants at once. Only built-in types have counters.
  "commands/doctor/doctor-data.ts",
  "records/types/index.ts",
  "records/types/record-types.ts",
  "records/types/registry.ts",
  "records/types/type-facts.ts",
  // The composition root: passes the types to the operations and to the description of the API.
  "service/shared-services.ts",
];

const isReader = (text: string): boolean => /\bBUILT_IN_TYPES\b/.test(text);

test("code that reads the built-in types is found", () => {
  assert.ok(isReader('import { BUILT_IN_TYPES as all } from "../types/index.ts";'));
  assert.ok(isReader('types.BUILT_IN_TYPES["lead"]'));
  assert.ok(!isReader("const type = typeOf(scope, name);"));
});

test("only the registry and the composition root read the built-in types", () => {
  const readers = readSources("src").filter(({ text }) => isReader(text));
  assert.deepEqual(readers.map(({ path }) => path).toSorted(), READERS);
});
