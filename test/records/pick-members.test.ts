/** Members extracted from a body's bytes equal the members that a parser finds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { membersPicker } from "../../src/records/list/pick-members.ts";
import { runsOf } from "../kit/long.ts";

const NAMES = ["id", "name", "email", "e", "phone_list", "comments", "free"];

/** Misleading values: member names, brackets, quotes and backslashes, within strings and nested objects. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom(...NAMES, '"', "\\", "{", "}", "[", "]", ",", ":", "é", "𝒳"))
    .map((parts) => parts.join("")),
);
const value = fc.letrec<{ one: unknown }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false, 0, -1.5, 1e300),
    fc.array(tie("one"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...NAMES, "version"), text), tie("one"), { maxKeys: 3 }),
  ),
})).one;

test("picked members are those of the parsed body, in its order, and its version", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), { selector: ([name]) => name }),
      fc.nat(),
      fc.subarray(["_id", ...NAMES, "version"]),
      (members, version, asked) => {
        const record = { _id: "6743597711940000950c0325", ...Object.fromEntries(members), version };
        const picked = membersPicker(asked)(Buffer.from(JSON.stringify(record)));
        const expected = Object.entries(record).filter(
          ([name]) => name === "version" || asked.includes(name),
        );
        assert.equal(picked.toString("utf8"), JSON.stringify(Object.fromEntries(expected)));
      },
    ),
    { numRuns: runsOf(2000) },
  );
});
