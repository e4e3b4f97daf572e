/** How forms show the issues that the service found. */

import assert from "node:assert/strict";
import test from "node:test";
import { messageOf } from "../../../console/src/api/issue-text.ts";

const issueOf = (type: string, msg: string, ctx?: Readonly<Record<string, unknown>>) => ({
  type,
  msg,
  loc: ["body", "field"],
  input: null,
  ...(ctx !== undefined && { ctx }),
});

for (const [type, msg, ctx, expected] of [
  ["missing", "Field required", undefined, "Enter a value"],
  [
    "string_too_long",
    "String should have …",
    { max_length: 10_000 },
    "Enter at most 10,000 characters",
  ],
  ["too_short", "List should have at least 1 item …", { min_length: 1 }, "Add at least one"],
  ["too_long", "List should have …", { max_length: 10, actual_length: 11 }, "Add at most 10"],
  ["greater_than_equal", "Input should be …", { ge: 0 }, "Enter 0 or more"],
  ["enum", "Input should be 'a' or 'b'", { expected: "'a' or 'b'" }, "Choose 'a' or 'b'"],
  ["value_error", "Value error, this lies in the past", undefined, "this lies in the past"],
  ["unheard_of", "As it is", { limit: 3 }, "As it is"],
] as const) {
  test(`${type} is "${expected}"`, () => {
    assert.equal(messageOf(issueOf(type, msg, ctx)), expected);
  });
}
