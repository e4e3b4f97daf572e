import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../src/records/filter/evaluate.ts";
import { compileFilter, parseFilter } from "../../src/records/filter/filter.ts";
import { fieldsOf, rangesOf } from "../../src/records/filter/tree/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/record-types.ts";

const type = BUILT_IN_TYPES.lead;
const listing = Object.values(type.lists)[0] ?? assert.fail("leads have no list");
const context = { type, listing, evalObjectId: true, country: "US" } as const;
const parsed = (filter: unknown) => parseFilter(JSON.stringify(filter), context);

const NESTED = {
  $or: [{ name: { $gt: "a", $not: { $in: ["b"] } } }, { "email_list.type": "Main" }],
  tags: { $elemMatch: { $gte: "v" } },
  email_list: { $elemMatch: { email: "a@b.c" } },
};

test("a filter's fields are known with their operators, wherever they are", () =>
  assert.deepEqual(Object.fromEntries(fieldsOf(parsed(NESTED))), {
    name: new Set(["gt", "in"]),
    email_list: new Set(["some"]),
    "email_list.type": new Set(["eq"]),
    tags: new Set(["some", "gte"]),
    "email_list.email": new Set(["eq"]),
  }));

/** [filter, the field, operator and values of each range, whether the ranges are the whole filter]. */
const RANGES: readonly (readonly [unknown, readonly unknown[], boolean])[] = [
  [{}, [], true],
  [{ name: "a" }, [["name", "in", ["a"]]], true],
  [{ name: { $in: ["a", null] } }, [["name", "in", ["a", null]]], true],
  [
    { $and: [{ name: { $gte: "a", $lt: "c" } }, { tags: "x" }] },
    [
      ["name", "gte", ["a"]],
      ["name", "lt", ["c"]],
      ["tags", "in", ["x"]],
    ],
    true,
  ],
  [
    NESTED,
    [
      ["tags", "gte", ["v"]],
      ["email_list.email", "in", ["a@b.c"]],
    ],
    false,
  ],
  [{ $nor: [{ name: "a" }], tags: { $all: ["x", "y"] } }, [], false],
  [{ phone_list: "(555) 555-5555" }, [["phone_list", "in", ["15555555555"]]], true],
];

for (const [filter, expected, isExact] of RANGES) {
  test(`${JSON.stringify(filter)} has ${expected.length} ranges`, () => {
    const found = rangesOf(parsed(filter));
    assert.deepEqual(
      found.ranges.map(({ field, op, values }) => [field, op, values]),
      expected,
    );
    assert.equal(found.isExact, isExact);
  });
}

/** [filter, whether a list with this filter is one range of an index, whether it is plain, the number of lookups]. */
const PLANNED: readonly (readonly [unknown, boolean, boolean, number])[] = [
  [{}, true, true, 0],
  [{ lead_status: "open" }, true, true, 0],
  [{ lead_status: { $in: ["open", "assigned"] } }, false, true, 0],
  [{ lead_status: null }, false, false, 0],
  [{ tags: "a" }, false, true, 0],
  [{ email_list: "a@b.c", lead_status: "open" }, false, true, 1],
  [{ $and: [{ email_list: "a@b.c" }, { email_list: "d@e.f" }] }, false, false, 2],
  [{ "email_list.email": "a@b.c" }, false, false, 1],
  [{ email_list: { $elemMatch: { email: "a@b.c", type: "Main" } } }, false, false, 1],
  [{ email_list: "a@b.c", name: { $regex: "a" } }, false, false, 1],
  [{ $or: [{ email_list: "a@b.c" }, { name: "a" }] }, false, false, 0],
  [{ email_list: { $ne: "a@b.c" } }, false, false, 0],
];

for (const [filter, isOneRange, isPlain, lookups] of PLANNED) {
  test(`how a list with ${JSON.stringify(filter)} can be read is known`, () => {
    const plan = compileFilter(JSON.stringify(filter), context);
    assert.deepEqual(
      [plan.isOneRange, plan.isPlain, plan.lookups.length],
      [isOneRange, isPlain, lookups],
    );
  });
}

/** [filter, matching records, records that do not match]. Random records always have all fields. */
const MEANT: readonly (readonly [unknown, readonly object[], readonly object[]])[] = [
  [{ name: null }, [{}, { name: null }], [{ name: "" }]],
  [{ name: { $ne: "a" } }, [{}, { name: 1 }], [{ name: "a" }]],
  [{ name: { $gt: "\uffff" } }, [{ name: "😀" }], [{ name: "\ufffe" }, {}, { name: 1 }]],
  [{ tags: { $size: 0 } }, [{ tags: [] }], [{}, { tags: "a" }, { tags: ["a"] }]],
  [{ tags: { $exists: true } }, [{}], []],
  [{ email_list: { $in: ["ΣΑ@a.gr "] } }, [{ email_list: [{ email: "σα@A.gr" }] }], [{}]],
  [{ phone_list: "555-555-5555" }, [{ phone_list: [{ phone: "15555555555" }] }], [{}]],
];

for (const [filter, yes, no] of MEANT) {
  test(`${JSON.stringify(filter)} is evaluated on records with missing members`, () => {
    for (const [records, expected] of [
      [yes, true],
      [no, false],
    ] as const) {
      for (const record of records) {
        const json = JSON.parse(JSON.stringify(record));
        assert.equal(evaluate(parsed(filter), json), expected, JSON.stringify(record));
      }
    }
  });
}
