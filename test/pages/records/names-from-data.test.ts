/** Names in data, such as `__proto__`, that every JavaScript object inherits from its prototype. */

import assert from "node:assert/strict";
import test from "node:test";
import { fieldLabel } from "../../../console/src/record/record-types.ts";
import { t } from "../../../console/src/text/index.ts";
import { words } from "../../../console/src/ui/format/format.ts";
import { memberLabel, memberText } from "../../../console/src/ui/format/members.ts";

const NAMES = Object.getOwnPropertyNames(Object.prototype);
/** A function of the language, or a property of an object. */
const INHERITED = /function|native code|\[object/;

for (const name of NAMES) {
  test(`${name} is labeled like any other name`, () => {
    const labels = [words, memberLabel, fieldLabel].map((labelOf) => labelOf(name));
    for (const label of labels) {
      assert.equal(typeof label, "string");
      assert.match(label, /^[A-Z]/);
      assert.doesNotMatch(label, INHERITED);
    }
    const value: unknown = JSON.parse(`{"${name}": {"${name}": 1}}`);
    assert.equal(memberText(value), `${memberLabel(name)}: (${memberLabel(name)}: 1)`);
  });
}

test("no table of texts inherits names", () => {
  const inherits = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    (Object.getPrototypeOf(value) !== null || Object.values(value).some(inherits));
  assert.equal(inherits(t), false);
});
