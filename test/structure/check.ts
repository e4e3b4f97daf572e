/** Checks a rule in all files of a folder. */

import assert from "node:assert/strict";
import type { Source } from "../../tools/sources.ts";

/** Returns the places of a file that violate a rule. */
export type Rule = (source: Source) => readonly string[];

/** Asserts that no file violates a rule. On failure, lists the violations by file. */
export function check(sources: readonly Source[], rule: Rule): void {
  assert.ok(sources.length > 10, "the sources are found");
  const found = sources.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));
  assert.deepEqual(found, []);
}
