/** Text from requests that a regular expression could match in many ways takes no quadratic time to check. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmailLike } from "../../src/people/bodies.ts";
import { entityTagsIn } from "../../src/platform/operations/entity-tags.ts";
import { keyIssues } from "../../src/records/keys/put-by-key.ts";
import { checkLinear } from "../kit/growth.ts";

const SIZE = 10_000;

for (const [name, isRejected, textOf] of [
  [
    "an If-Match header with many spaces",
    (text) => entityTagsIn("if-match", text).issues.length > 0,
    (size) => `"v1",${" ".repeat(size)}x`,
  ],
  [
    "the email of a user with many periods",
    (text) => !isEmailLike(text),
    (size) => `a@${".".repeat(size)}@`,
  ],
  [
    "an email in a path with many at signs",
    (text) => keyIssues({ kind: "email", text }, {}, "US").length > 0,
    (size) => `${"@".repeat(size)}<`,
  ],
] satisfies readonly [string, (text: string) => boolean, (size: number) => string][]) {
  test(`${name} takes no quadratic time to reject`, () => {
    checkLinear(name, SIZE, (size) => {
      const text = textOf(size);
      return () => assert.ok(isRejected(text));
    });
  });
}
