/** Validating bodies: errors are found in any JSON, and validation never throws. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { recordRules } from "../../src/records/schemas/rules.ts";
import { checkedSchema } from "../../src/records/schemas/schemas.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { checker } from "../../src/platform/validation/validation.ts";

const compile = checker(recordRules(systemClock()));
const ODD = fc.constantFrom(Infinity, -0, -Infinity, "\0", "\uD800", {}, [[]], { toString: "" });

for (const type of Object.values(BUILT_IN_TYPES)) {
  for (const purpose of ["create", "patch"] as const) {
    test(`no body of a ${type.name} makes the check of ${purpose} throw`, () => {
      const check = compile(checkedSchema(type, purpose));
      const value = fc.oneof(fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }), ODD);
      const names = Object.keys(type.fields).map((name) => [name, value] as const);
      const body = fc.record(Object.fromEntries(names), { requiredKeys: [] });
      fc.assert(
        fc.property(fc.oneof(body, value), (given) => {
          for (const { type: kind, loc, msg } of check(given)) {
            assert.equal(loc[0], "body");
            assert.ok(kind.length > 0 && msg.length > 0);
          }
        }),
      );
    });
  }
}
