/** Filter semantics, limits and errors (docs/filters.md), tested mostly on contacts. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { account, contact, deal, lead } from "./cases.ts";
import { assertBlames, create, rowsOf } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const acme = await api.tenant();
const PEOPLE = [
  { name: "Ada", email: "ADA@Example.com", phone: "(202) 555-0123", tags: ["a", "b"], title: "Dr" },
  { name: "Bea", email: "bea@example.com", tags: ["b"], profession: "poet" },
  { name: "Éva", phone: "+44 20 7946 0018", tags: [], profession: "Poet" },
  { name: "Zoë", tags: ["a", "c", "d"], title: "Prof" },
];

before(async () => {
  for (const person of PEOPLE) await create(acme, contact, person);
});

const list = (match_filter_dict: unknown, query = {}) =>
  acme.get("/crm/contacts", { match_filter_dict, sort_dict: { name: 1 }, ...query });

/** Asserts that the filter matches exactly the contacts with these initials. */
async function selects(filter: unknown, letters: string): Promise<void> {
  const names = rowsOf(await list(filter)).map(({ name }) => name[0]);
  assert.equal(names.join(""), letters, JSON.stringify(filter));
}

async function refuses(...filters: unknown[]): Promise<void> {
  for (const filter of filters) {
    assertBlames(await list(filter), "query", "match_filter_dict");
  }
}

// docs/filters.md#operators
test("operators mean what they mean in MongoDB", async () => {
  const cases: [unknown, string][] = [
    [{}, "ABZÉ"],
    [{ name: "Ada" }, "A"],
    [{ name: { $eq: "Ada" } }, "A"],
    [{ name: { $ne: "Ada" } }, "BZÉ"],
    [{ name: { $gt: "Ada", $lt: "Zz" } }, "BZ"],
    [{ name: { $gte: "Ada", $lte: "Bea" } }, "AB"],
    [{ name: { $in: ["Ada", "Zoë"] } }, "AZ"],
    [{ name: { $nin: ["Ada", "Zoë"] } }, "BÉ"],
    [{ name: { $not: { $eq: "Ada" } } }, "BZÉ"],
    [{ $and: [{ tags: "a" }, { tags: "b" }] }, "A"],
    [{ $or: [{ tags: "c" }, { name: "Bea" }] }, "BZ"],
    [{ $nor: [{ tags: "c" }, { name: "Bea" }] }, "AÉ"],
    [{ tags: ["a", "b"] }, "A"],
    [{ tags: { $all: ["a", "b"] } }, "A"],
    [{ tags: { $size: 0 } }, "É"],
    [{ tags: { $elemMatch: { $gt: "c" } } }, "Z"],
    [{ tags: { $ne: "a" } }, "BÉ"],
    [{ title: null }, "BÉ"],
    [{ title: { $ne: null } }, "AZ"],
    [{ title: { $in: [null, "Dr"] } }, "ABÉ"],
    [{ profession: { $regex: "^po" } }, "B"],
    [{ profession: { $regex: "^po", $options: "i" } }, "BÉ"],
    [{ name: { $regex: "^é", $options: "i" } }, "É"],
    [{ "email_list.email": "bea@example.com" }, "B"],
    [{ email_list: { $elemMatch: { email: "bea@example.com", type: "Main" } } }, "B"],
    [{ "phone_list.type": "Main" }, "AÉ"],
  ];
  for (const [filter, letters] of cases) await selects(filter, letters);
});

// docs/filters.md#operators
test("any other operator returns 422", () =>
  refuses(
    { $where: "1" },
    { $expr: { $eq: ["$name", "Ada"] } },
    { $function: {} },
    { $text: { $search: "a" } },
    { $comment: "x" },
    { name: { $type: "string" } },
    { name: { $mod: [2, 0] } },
    { name: { $near: 1 } },
    { name: { $regex: "(?=a)" } },
    { name: { $regex: "(a)\\1" } },
    { name: { $regex: "(" } },
    { name: { $regex: "a", $options: "q" } },
    { name: { $options: "i" } },
  ));

// docs/filters.md#email-addresses-and-phone-numbers
test("addresses match without regard to case, numbers by their digits", async () => {
  const cases: [unknown, string][] = [
    [{ email_list: "ada@example.COM" }, "A"],
    [{ email_list: { $in: ["Bea@Example.com", "x@example.com"] } }, "B"],
    [{ email_list: { $regex: "^ADA@" } }, "A"],
    [{ phone_list: "2025550123" }, "A"],
    [{ phone_list: "+1 (202) 555-0123" }, "A"],
    [{ phone_list: "12025550123" }, "A"],
    [{ phone_list: { $in: ["+442079460018"] } }, "É"],
    [{ phone_list: { $regex: "^4420" } }, "É"],
    [{ "phone_list.phone": "12025550123" }, "A"],
  ];
  for (const [filter, letters] of cases) await selects(filter, letters);
});

// docs/filters.md#values
test("a value whose type can never match returns 422", async () => {
  await refuses({ name: 5 }, { name: true }, { name: { $gt: 5 } }, { name: { $in: ["a", 5] } });
  const filter = { value_of_sale: "many" };
  assertBlames(await acme.get("/crm/deals", { match_filter_dict: filter }), "query");
});

// docs/filters.md#values
test("an unknown value of a field with fixed values is accepted and matches nothing", () =>
  selects({ status: "sleeping" }, ""));

// docs/filters.md#operators
test("empty $and, $or and $nor, and an $exists that is no boolean, return 422", () =>
  refuses(
    { $and: [] },
    { $or: [] },
    { $nor: [] },
    { name: { $exists: 1 } },
    { name: { $exists: "true" } },
  ));

const initialsBy = async (sort_dict: unknown) =>
  rowsOf(await acme.get("/crm/contacts", { sort_dict }))
    .map(({ name }) => name[0])
    .join("");

// docs/lists.md#sorting
test("text is compared by code point, and null is sorted first", async () => {
  assert.equal(await initialsBy({ name: 1 }), "ABZÉ");
  assert.equal(await initialsBy({ name: -1 }), "ÉZBA");
  assert.equal(await initialsBy({ title: 1, name: 1 }), "BÉAZ");
  assert.equal(await initialsBy({ title: -1, name: 1 }), "ZABÉ");
});

const conditions = (count: number) => ({
  $or: Array.from({ length: count }, () => ({ name: "Ada" })),
});

const oneOf = (count: number) => ({
  name: { $in: Array.from({ length: count }, (_, at) => `${at}`) },
});

// docs/filters.md#limits
test("size, depth, conditions, values and patterns of a filter have limits", async () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { name: "Ada" } : { $and: [nested(depth - 1)] };
  await selects(conditions(90), "A");
  await selects(oneOf(500), "");
  await selects({ name: { $regex: "a".repeat(200) } }, "");
  await refuses(nested(9), conditions(101), oneOf(501), { name: { $regex: "a".repeat(201) } });
  await refuses({ name: "x".repeat(65 * 1024) });
});

// docs/filters.md#errors
test("a filter that is not a JSON object returns 422", () =>
  refuses("{", "[]", "5", '"x"', "name", "{'name': 'Ada'}", "null"));

// docs/filters.md#ids
test("every id can be written as an ObjectId, which is parsed, never evaluated", async () => {
  const payer = await create(acme, account);
  const made = await create(acme, deal, { account_id: payer["_id"] });
  const query = { eval_object_id: true };
  const filter = `{"account_id": ObjectId('${payer["_id"]}')}`;
  const reply = await acme.get("/crm/deals", { match_filter_dict: filter, ...query });
  assert.deepEqual(rowsOf(reply), [made]);
  for (const wrong of [`{"_id": ObjectId('xyz')}`, `{"_id": ObjectId(1+1)}`, `{"_id": Date()}`]) {
    assertBlames(await list(wrong, query), "query", "match_filter_dict");
  }
});

// docs/filters.md#ids
test("without eval_object_id, the ObjectId spelling returns 422", async () => {
  const filter = `{"_id": ObjectId('${"0".repeat(24)}')}`;
  assertBlames(await list(filter), "query", "match_filter_dict");
  assertBlames(await list(filter, { eval_object_id: false }), "query", "match_filter_dict");
});

// docs/filters.md#filterable-fields
test("leads are filtered by lead_status, contacts by status", async () => {
  const made = await create(acme, lead, { status: "open" });
  const leads = (match_filter_dict: unknown) => acme.get("/crm/leads", { match_filter_dict });
  assert.deepEqual(rowsOf(await leads({ lead_status: "open" })), [made]);
  assertBlames(await leads({ status: "open" }), "query", "match_filter_dict");
  await refuses({ lead_status: "open" });
});
