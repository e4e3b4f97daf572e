import assert from "node:assert/strict";
import { test } from "node:test";
import { ValidationError } from "../../src/platform/errors/errors.ts";
import { compileFilter } from "../../src/records/filter/filter.ts";
import { BUILT_IN_TYPES, type RecordName } from "../../src/records/types/record-types.ts";

interface Asked {
  readonly type?: RecordName;
  readonly list?: string;
  readonly evalObjectId?: boolean;
}

/** All tests call the compiler through this function. */
function compile(filter: unknown, { type = "lead", list = "all", evalObjectId = false }: Asked) {
  const recordType = BUILT_IN_TYPES[type];
  const listing = recordType.lists[list];
  assert.ok(listing);
  const raw = typeof filter === "string" ? filter : JSON.stringify(filter);
  return compileFilter(raw, { type: recordType, listing, evalObjectId, country: "US" }).condition;
}

const ID = "65f0c0ffee65f0c0ffee0001";
const WITH_IDS = { evalObjectId: true };
const DEEP = {
  $and: [
    { $and: [{ $and: [{ $and: [{ $and: [{ $and: [{ $and: [{ name: { $ne: 1 } }] }] }] }] }] }] },
  ],
};
const many = (count: number) => Array.from({ length: count }, (_, i) => String(i));

/** [filter, expected message, how the filter was sent]. */
const REFUSALS: readonly (readonly [unknown, RegExp, Asked?])[] = [
  ["{", /^Invalid JSON: /],
  ['{"name": ObjectId(x)}', /^Invalid JSON: /],
  ["[]", /^Input should be a valid dictionary$/],
  ['"a"', /^Input should be a valid dictionary$/],
  [
    { created_ts: 1 },
    /created_ts: this list cannot be filtered by this field; available fields are: lead_status, .*_id \(with/,
  ],
  [{ created_at: 1 }, /available fields are: status, source,/, { type: "account" }],
  [
    { email_list: "a@b.c" },
    /available fields are: lead_status, lead_source, name, tags, partner_id, _id/,
    { list: "status_updated" },
  ],
  [{ "email_list.country": "a" }, /email_list\.email, email_list\.type/],
  [{ "tags.0": "a" }, /cannot be filtered by this field/],
  [{ ssn: "1" }, /cannot be filtered by this field/],
  [{ __proto__x: 1 }, /cannot be filtered by this field/],
  [{ _id: ID }, /_id can be used only with eval_object_id=true/],
  [`{"account_id": ObjectId('${ID}')}`, /only with eval_object_id=true/, { type: "deal" }],
  [{ account_id: `ObjectId('${ID}')` }, /only with eval_object_id=true/, { type: "deal" }],
  [{ _id: "ObjectId('12')" }, /must contain 24 hexadecimal characters/, WITH_IDS],
  [{ _id: { $oid: "12" } }, /must contain 24 hexadecimal characters/, WITH_IDS],
  [{ name: { $oid: ID } }, /can be used only for ids/, WITH_IDS],
  [{ $where: "1" }, /unknown operator; supported operators are \$and, \$or, \$nor, \$eq/],
  [{ $eq: 1 }, /must be below the name of a field/],
  [
    { name: { $where: "1" } },
    /name\.\$where: unknown operator; supported operators are \$eq, \$ne/,
  ],
  [{ name: { $gt: "a", other: 1 } }, /name\.other: unknown operator/],
  [{ name: 5 }, /name: must be a string or null/],
  [{ name: true }, /must be a string or null/],
  [{ name: { $in: ["a", 5] } }, /name\.\$in\.1: must be a string or null/],
  [{ name: { first: "a" } }, /must be a string or null/],
  [{ name: ["a"] }, /must be a string, not a list/],
  [{ name: {} }, /empty object/],
  [{ value_of_sale: "10" }, /must be a number or null/, { type: "deal" }],
  ['{"value_of_sale": 1e999}', /must be a number or null/, { type: "deal" }],
  [{ value_of_sale: { $regex: "1" } }, /\$regex cannot be used on a number/, { type: "deal" }],
  [{ is_completed: "yes" }, /must be a boolean or null/, { type: "task" }],
  [{ is_completed: 1 }, /must be a boolean or null/, { type: "task" }],
  [{ $and: [] }, /\$and: must be a list of at least one/],
  [{ $or: [] }, /\$or: must be a list of at least one/],
  [{ $nor: [] }, /\$nor: must be a list of at least one/],
  [{ $or: { name: "a" } }, /\$or: must be a list/],
  [{ $or: ["a"] }, /\$or\.0: must be an object/],
  [{ name: { $exists: 1 } }, /must be true or false/],
  [{ name: { $exists: "true" } }, /must be true or false/],
  [{ name: { $in: "a" } }, /must be a list of values/],
  [{ name: { $all: "a" } }, /must be a list of values/],
  [{ name: { $not: "a" } }, /\$not must be an object with operators/],
  [{ name: { $not: {} } }, /\$not must be an object with operators/],
  [{ name: { $size: 1 } }, /\$size can be used only on lists/],
  [{ tags: { $size: -1 } }, /non-negative/],
  [{ tags: { $size: 1.5 } }, /whole number/],
  [{ tags: { $size: "1" } }, /whole number/],
  [{ name: { $elemMatch: { $eq: "a" } } }, /\$elemMatch can be used only on lists/],
  [{ tags: { $elemMatch: { name: "a" } } }, /must be an object with operators/],
  [{ tags: { $elemMatch: {} } }, /must be an object with operators/],
  [{ tags: { $elemMatch: "a" } }, /must be an object with conditions/],
  [{ email_list: { $elemMatch: { $eq: "a" } } }, /must be below the name of a field/],
  [
    { email_list: { $elemMatch: { email_validation_dict: 1 } } },
    /available fields are: email, type/,
  ],
  [{ email_list: { $gt: "a" } }, /entries cannot be ordered/],
  [{ email_list: ["a@b.c"] }, /use \$in or \$all for several values/],
  [{ email_list: { email: "a@b.c" } }, /must be a string or null/],
  [{ name: { $options: "i" } }, /\$options can be used only with \$regex/],
  [{ name: { $regex: 5 } }, /must be a string with a pattern/],
  [{ name: { $regex: "a", $options: 5 } }, /must be a string of the letters i, m, s and x/],
  [{ name: { $regex: "a", $options: "g" } }, /"g" is not one of i, m, s, x/],
  [{ name: { $regex: "(" } }, /invalid pattern: Unterminated group/],
  [{ name: "\0" }, /^Input should be a valid string, unable to parse/],
  [{ name: { $regex: "\0" } }, /^Input should be a valid string, unable to parse/],
  ['{"name": "\\ud800"}', /^Input should be a valid string, unable to parse/],
  [{ name: { $in: many(501) } }, /at most 500 values/],
  [{ tags: { $all: many(501) } }, /at most 500 values/],
  [{ $or: many(101).map((name) => ({ name })) }, /at most 100 conditions/],
  [{ $or: many(101).map(() => ({})) }, /at most 100 conditions/],
  [{ name: "a".repeat(64 * 1024) }, /at most 64 KiB/],
  [DEEP, /nested at most 8 levels deep/],
];

const issuesOf = (filter: unknown, asked: Asked) => {
  try {
    compile(filter, asked);
  } catch (error) {
    if (error instanceof ValidationError) return error.issues;
    throw error;
  }
  return assert.fail("the filter was taken");
};

for (const [filter, message, asked = {}] of REFUSALS) {
  test(`${JSON.stringify(filter).slice(0, 70)} is refused: ${message.source}`, () => {
    const [issue] = issuesOf(filter, asked);
    assert.match(issue?.msg.replace(/^Value error, /, "") ?? "", message);
    assert.deepEqual(issue?.loc, ["query", "match_filter_dict"]);
    assert.equal(issue?.input, typeof filter === "string" ? filter : JSON.stringify(filter));
  });
}

test("everything that is wrong with a filter is said at once", () =>
  assert.deepEqual(
    issuesOf({ name: 5, nonsense: 1, tags: { $in: "a" } }, {}).map(({ type, msg }) => [
      type,
      msg.slice(0, 24),
    ]),
    [
      ["value_error", "Value error, name: must "],
      ["value_error", "Value error, nonsense: t"],
      ["value_error", "Value error, tags.$in: m"],
    ],
  ));

test("what is just within the limits is taken", () => {
  assert.equal(compile({ $or: many(100).map((name) => ({ name })) }, {}).values.length, 100);
  assert.equal(compile({ name: { $in: many(500) } }, {}).values.length, 1);
});
