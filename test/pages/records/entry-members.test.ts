/** Custom members of objects, email addresses and phone numbers in a record's form. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { pageModule } from "../pages-in-node.ts";
import {
  isRepeated,
  membersOf,
  rowsOfMembers,
} from "../../../console/src/kinds/inputs/member-rows.ts";
import { withMain } from "../../../console/src/record/lists/entries.ts";
import type { RecordType } from "../../../console/src/record/definitions.ts";
import type { Draft, Stored } from "../../../console/src/record/record-types.ts";
import { consoleType } from "../console-types.ts";

interface Drafts {
  readonly draftOf: (type: RecordType, record: Stored) => Draft;
  readonly changesOf: (type: RecordType, base: Draft, draft: Draft) => Draft;
  readonly patchOf: (type: RecordType, record: Stored, changes: Draft) => Draft;
}

const { changesOf, draftOf, patchOf } = await pageModule<Drafts>("records/form/draft.ts");

const FORMS = [
  {
    kind: "email",
    main: "a@x.example",
    other: "b@x.example",
    entries: [{ email: "a@x.example" }, { email: "b@x.example" }],
  },
  {
    kind: "phone",
    main: "(415) 555-0100",
    other: "+14155550101",
    entries: [
      { phone: "14155550100", country: "US", formatted_phone: "(415) 555-0100" },
      { phone: "14155550101", country: "US", formatted_phone: "(415) 555-0101" },
    ],
  },
] as const;

for (const { kind, main, other, entries } of FORMS) {
  const list = `${kind}_list`;
  const [first, second] = entries;
  const record = {
    [kind]: main,
    [list]: [
      { type: "Main", ...first, verified_by: "z" },
      { type: "Work", ...second, since: 2020 },
    ],
  } as never;
  const type = consoleType("lead");
  const base = draftOf(type, record);
  const sent = (changes: object) =>
    patchOf(type, record, changesOf(type, base, { ...base, ...changes }))[list];
  const rows = base[list] as readonly object[];

  test(`adding another ${kind} keeps the members of the main one`, () => {
    const added = { type: "Home", [kind]: "new" };
    assert.deepEqual(sent({ [list]: [...rows, added] }), [
      { type: "Main", [kind]: main, verified_by: "z" },
      { type: "Work", [kind]: other, since: 2020 },
      added,
    ]);
  });

  test(`a ${kind} that becomes the main one keeps its members, and so does the previous one`, () => {
    assert.deepEqual(sent(withMain(base, list, kind, 0)), [
      { type: "Main", [kind]: other, since: 2020 },
      { type: "Work", [kind]: main, verified_by: "z" },
    ]);
  });

  test(`a new main ${kind} does not get members of the previous one`, () => {
    assert.deepEqual(sent({ [kind]: "new", [list]: [] }), [{ type: "Main", [kind]: "new" }]);
  });

  test(`a list sent after another user changed the ${kind} has the new ${kind} as its main entry`, () => {
    const added = { type: "Home", [kind]: "new" };
    const theirs = { ...(record as object), [kind]: "changed", [list]: [] } as never;
    const changes = changesOf(type, base, { ...base, [list]: [added] });
    assert.deepEqual(patchOf(type, theirs, changes)[list], [
      { type: "Main", [kind]: "changed" },
      added,
    ]);
  });
}

test("a name is typed one character at a time, whatever the other names are", () => {
  let rows = [...rowsOfMembers({ size: "L", color: "red" }), { name: "", value: "x" }];
  for (const name of ["s", "si", "siz", "size"]) rows = rows.with(2, { name, value: "x" });
  // "size" is taken.
  assert.deepEqual(
    [isRepeated(rows, 0), isRepeated(rows, 2), membersOf(rows)],
    [false, true, undefined],
  );
  rows = rows.with(2, { name: "sizes", value: "x" });
  assert.deepEqual(membersOf(rows), { size: "L", color: "red", sizes: "x" });
  // JavaScript moves integers to the front of an object, but not to the front of the rows.
  rows = rows.with(2, { name: "7", value: "x" });
  assert.deepEqual(Object.keys(membersOf(rows) ?? {}), ["7", "size", "color"]);
  assert.equal(rows[2]?.name, "7");
  assert.equal(membersOf([]), null);
});
