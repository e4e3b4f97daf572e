/** Text from requests that a regular expression could match in many ways takes no quadratic time to check. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmailLike } from "../../src/people/bodies.ts";
import { entityTagsIn } from "../../src/platform/operations/entity-tags.ts";
import { keyIssues } from "../../src/records/keys/put-by-key.ts";
import { endsInTime } from "../kit/time-guard.ts";

/** Linear work on this many characters takes milliseconds. Quadratic work takes an hour. */
const SIZE = 4_000_000;

for (const [name, isRejected, text] of [
  [
    "an If-Match header with many spaces",
    (text) => entityTagsIn("if-match", text).issues.length > 0,
    `"v1",${" ".repeat(SIZE)}x`,
  ],
  ["the email of a user with many periods", (text) => !isEmailLike(text), `a@${".".repeat(SIZE)}@`],
  [
    "an email in a path with many at signs",
    (text) => keyIssues({ kind: "email", text }, {}, "US").length > 0,
    `${"@".repeat(SIZE)}<`,
  ],
] satisfies readonly [string, (text: string) => boolean, string][]) {
  test(`${name} takes no quadratic time to reject`, () => {
    assert.ok(endsInTime(name, () => isRejected(text)));
  });
}
