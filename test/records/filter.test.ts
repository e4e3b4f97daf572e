import assert from "node:assert/strict";
import { test } from "node:test";
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

function check(filter: unknown, text: string, values: readonly unknown[], asked: Asked = {}): void {
  const condition = compile(filter, asked);
  assert.equal(condition.text, text);
  assert.deepEqual(condition.values, values);
}

const ID = "65f0c0ffee65f0c0ffee0001";
const WITH_IDS = { evalObjectId: true };
const ENTRIES = "exists (select 1 from json_array_elements(body -> 'email_list') as e(v) where";

test("equality on a column is a plain comparison, which an index serves", () => {
  check({ lead_status: "open" }, "lead_status = $1", ["open"]);
  check({ lead_status: { $eq: "open" } }, "lead_status = $1", ["open"]);
  check({ name: { $in: ["a"] } }, "name = $1", ["a"]);
  check({ name: { $in: ["a", "b"] } }, "name = any($1::text[])", [["a", "b"]]);
  check({ name: { $all: ["a"] } }, "name = $1", ["a"]);
  check({ value_of_sale: 10.5 }, "value_of_sale = $1", [10.5], { type: "deal" });
  check({ value_of_sale: { $in: [1, 2] } }, "value_of_sale = any($1::numeric[])", [[1, 2]], {
    type: "deal",
  });
  check(
    { is_completed: { $in: [true, false] } },
    "(is_completed = $1 or is_completed = $2)",
    [true, false],
    { type: "task" },
  );
});

test("null is matched by name", () => {
  check({ name: null }, "name is null", []);
  check({ name: { $in: ["a", null] } }, "(name = $1 or name is null)", ["a"]);
  check({ name: { $gte: null } }, "name is null", []);
  check({ name: { $gt: null } }, "false", []);
  check({ tags: null }, "false", []);
  check({ email_list: null }, "false", []);
});

test("ranges and adjacent conditions must all hold", () => {
  check(
    { value_of_sale: { $gte: 1, $lt: 9 } },
    "(value_of_sale >= $1 and value_of_sale < $2)",
    [1, 9],
    {
      type: "deal",
    },
  );
  check({ name: { $gt: "a", $lte: "b" } }, "(name > $1 and name <= $2)", ["a", "b"]);
  check({ lead_status: "open", name: "a" }, "(lead_status = $1 and name = $2)", ["open", "a"]);
  check({}, "true", []);
});

test("a negation is true where the condition is false or unknown", () => {
  check({ name: { $ne: "a" } }, "(name = $1) is not true", ["a"]);
  check({ name: { $nin: ["a", "b"] } }, "(name = any($1::text[])) is not true", [["a", "b"]]);
  check({ name: { $not: { $gt: "a" } } }, "(name > $1) is not true", ["a"]);
  check({ $nor: [{ name: "a" }, { name: "b" }] }, "((name = $1 or name = $2)) is not true", [
    "a",
    "b",
  ]);
});

test("logical operators combine objects of conditions", () => {
  check({ $or: [{ name: "a" }, { title: "b" }] }, "(name = $1 or title = $2)", ["a", "b"]);
  check({ $and: [{ name: "a" }, { $or: [{ title: "b" }] }] }, "(name = $1 and title = $2)", [
    "a",
    "b",
  ]);
});

test("fields of a record always exist, members of entries need not", () => {
  check({ name: { $exists: true } }, "true", []);
  check({ name: { $exists: false } }, "(true) is not true", []);
  check({ "email_list.type": { $exists: true } }, `${ENTRIES} (e.v -> 'type') is not null)`, []);
});

test("$in on a list of texts means any overlap", () => {
  check({ tags: "a" }, "tags @> array[$1::text]", ["a"]);
  check({ tags: { $in: ["a", "b"] } }, "tags && $1::text[]", [["a", "b"]]);
  check({ tags: { $all: ["a", "b"] } }, "tags @> $1::text[]", [["a", "b"]]);
  check({ tags: ["a", "b"] }, "tags = $1::text[]", [["a", "b"]]);
  check({ tags: [] }, "cardinality(tags) = $1", [0]);
  check({ tags: { $size: 2 } }, "cardinality(tags) = $1", [2]);
  check({ tags: { $in: [] } }, "false", []);
  check(
    { tags: { $elemMatch: { $gt: "a", $lt: "c" } } },
    'exists (select 1 from unnest(tags) as t(v) where (t.v collate "C" > $1 and t.v collate "C" < $2))',
    ["a", "c"],
  );
});

test("a string on email_list is an address without regard to case", () => {
  check({ email_list: "Ann@Example.com" }, "email_list @> array[lower($1::text)]", [
    "Ann@Example.com",
  ]);
  check(
    { email_list: { $in: ["a@b.c", "d@e.f"] } },
    "email_list && array[lower($1::text), lower($2::text)]",
    ["a@b.c", "d@e.f"],
  );
  check({ email_list: { $ne: "a@b.c" } }, "(email_list @> array[lower($1::text)]) is not true", [
    "a@b.c",
  ]);
  check(
    { email_list: { $regex: "^Ann" } },
    'exists (select 1 from unnest(email_list) as k(v) where k.v collate "C" ~ $1)',
    ["***:\\A[Aa][Nn][Nn]"],
  );
  check(
    { email_list: { $regex: "(?-i:A)" } },
    'exists (select 1 from unnest(email_list) as k(v) where k.v collate "C" ~ $1)',
    ["***:(?:[Aa])"],
  );
});

test("a string on phone_list is a number by its digits, however it was typed", () => {
  for (const typed of ["+1 555 555 5555", "(555) 555-5555", "5555555555", "15555555555"]) {
    check({ phone_list: typed }, "phone_list @> array[$1::text]", ["15555555555"]);
  }
  check({ phone_list: { $nin: ["555.555.5555"] } }, "(phone_list && array[$1::text]) is not true", [
    "15555555555",
  ]);
});

test("members of entries are compared as they are, with an index condition in front", () => {
  check(
    { "email_list.email": "Ann@Example.com" },
    `(email_list && array[lower($1::text)] and ${ENTRIES} (e.v ->> 'email') collate "C" = $2))`,
    ["Ann@Example.com", "Ann@Example.com"],
  );
  check({ "email_list.type": "Main" }, `${ENTRIES} (e.v ->> 'type') collate "C" = $1)`, ["Main"]);
  check(
    { email_list: { $elemMatch: { email: { $in: ["a@b.c"] }, type: "Main" } } },
    `(email_list && array[lower($1::text)] and ${ENTRIES} ((e.v ->> 'email') collate "C" = $2 and (e.v ->> 'type') collate "C" = $3)))`,
    ["a@b.c", "a@b.c", "Main"],
  );
});

test("an ObjectId is accepted bare and in a string, with both quotes", () => {
  for (const id of [
    `ObjectId('${ID}')`,
    `ObjectId("${ID.toUpperCase()}")`,
    `ObjectId ( '${ID}' )`,
    `"ObjectId('${ID}')"`,
    `"ObjectId(\\"${ID}\\")"`,
    `"ObjectId("${ID}")"`,
    `{"$oid": "${ID}"}`,
    `"${ID}"`,
  ]) {
    check(`{"_id": ${id}}`, "id = $1", [ID], WITH_IDS);
    check(`{"_id": {"$in": [${id}, ${id}]}}`, "id = any($1::text[])", [[ID, ID]], WITH_IDS);
    check(`{"account_id": ${id}}`, "account_id = $1", [ID], { ...WITH_IDS, type: "deal" });
    check(`{"subject": ${id}}`, "subject = $1", [ID], { ...WITH_IDS, type: "task" });
  }
  check({ account_id: ID }, "account_id = $1", [ID], { type: "deal" });
});

test("what looks like an ObjectId inside another string is unchanged", () => {
  const name = `he said "ObjectId('${ID}')"`;
  check({ name }, "name = $1", [name], WITH_IDS);
  check({ name: `ObjectId('${ID}')` }, "name = $1", [`ObjectId('${ID}')`], WITH_IDS);
  check({ account_id: "ObjectId" }, "account_id = $1", ["ObjectId"], { type: "deal" });
});

test("spellings that bodies accept are accepted, unknown values match nothing", () => {
  const asked = { type: "task" } as const;
  check(
    { status: { $in: ["in-progress", "in progress"] } },
    "status = any($1::text[])",
    [["in_progress", "in_progress"]],
    asked,
  );
  check({ status: "nonsense" }, "status = $1", ["nonsense"], asked);
});
