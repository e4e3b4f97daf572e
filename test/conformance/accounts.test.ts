/** Accounts, field by field: docs/records.md#account. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { account } from "./cases.ts";
import {
  assertBlames,
  assertEnum,
  assertInvalid,
  assertLongest,
  assertRefused,
  change,
  create,
  idsOf,
  read,
  recordOf,
} from "./checks.ts";
import { ACCOUNT_STATUSES, RELATIONSHIP_TYPES } from "./enums.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();

/** Every field of AccountRequest, with a value that is returned unchanged. */
const FIELDS = {
  email: "office@example.com",
  phone: "+1 202-555-0123",
  source: "Trade fair in Leeds",
  status: "prospect",
  relationship_type: "vendor",
  tags: ["vip"],
  website: "https://mills.example.com",
  company_name: "Example Mills Ltd",
  description: "Weaves cotton",
  industry: "Textiles",
  num_employees: 120,
  social_dict_list: [{ type: "Linkedin", url: "https://social.example.com/mills" }],
};

const TEXTS = {
  name: 500,
  email: 254,
  phone: 50,
  source: 100,
  website: 2048,
  company_name: 500,
  description: 10_000,
  industry: 500,
};

// docs/records.md#account
test("POST /crm/accounts returns 200 with the created account", async () => {
  const acme = await api.tenant();
  const made = recordOf(await acme.post("/crm/accounts", { name: "Example Mills", ...FIELDS }));
  for (const [field, value] of Object.entries({ name: "Example Mills", ...FIELDS })) {
    assert.deepEqual(made[field], value, field);
  }
  assert.equal(made["marketing_source"], "Trade fair in Leeds");
  assert.deepEqual(await read(acme, account, made["_id"]), made);
});

// docs/lists.md
test("GET /crm/accounts returns a bare array, newest first, of page_size", async () => {
  const acme = await api.tenant();
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) ids.unshift((await create(acme, account))["_id"]);
  assert.deepEqual(idsOf(await acme.get("/crm/accounts")), ids);
  assert.deepEqual(idsOf(await acme.get("/crm/accounts", { page_size: 2 })), ids.slice(0, 2));
});

// docs/filters.md#filterable-fields
test("a filter of accounts by the pseudo-field created_at returns 422", async () => {
  const acme = await api.tenant();
  const query = { match_filter_dict: { created_at: { $gte: 1 } } };
  assertBlames(await acme.get("/crm/accounts", query), "query", "match_filter_dict");
});

// docs/records.md#account
test("an account needs only a name, and has defaults for the rest", async () => {
  const acme = await api.tenant();
  const made = await create(acme, account);
  for (const name of account.returns) assert.ok(name in made, `${name} is missing`);
  const told = [made["source"], made["status"], made["relationship_type"]];
  assert.deepEqual(told, ["Unknown", "customer", "customer"]);
  for (const list of ["tags", "email_list", "phone_list", "social_dict_list"]) {
    assert.deepEqual(made[list], []);
  }
  for (const field of "email phone website company_name description industry".split(" ")) {
    assert.equal(made[field], null, field);
  }
  assert.equal(made["num_employees"], null);
  assertInvalid(await acme.post("/crm/accounts", {}), {
    type: "missing",
    loc: ["body", "name"],
    msg: "Field required",
    input: {},
  });
});

// docs/records.md#account
test("the status of an account takes its 13 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), account, "status", ACCOUNT_STATUSES));

// docs/records.md#account
test("the relationship_type of an account takes its 5 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), account, "relationship_type", RELATIONSHIP_TYPES));

// docs/records.md#account
test("the source of an account is free text, also under the name marketing_source", async () => {
  const acme = await api.tenant();
  for (const name of ["source", "marketing_source", "lead_source"]) {
    const made = await create(acme, account, { [name]: "A billboard" });
    assert.deepEqual([made["source"], made["marketing_source"]], ["A billboard", "A billboard"]);
  }
});

// docs/records.md#account
test("every text of an account has its maximum length", async () => {
  const acme = await api.tenant();
  for (const [field, max] of Object.entries(TEXTS)) await assertLongest(acme, account, field, max);
});

// docs/records.md#account
test("num_employees is a whole number of at least 0, or digits", async () => {
  const acme = await api.tenant();
  for (const [sent, kept] of [
    [0, 0],
    ["250", 250],
    [1_000_000, 1_000_000],
  ] as const) {
    assert.equal((await create(acme, account, { num_employees: sent }))["num_employees"], kept);
  }
  for (const num_employees of [-1, "many", 1.5, [1], { n: 1 }]) {
    const reply = await acme.post("/crm/accounts", { name: "Mills", num_employees });
    assertBlames(reply, "body", "num_employees");
  }
});

// docs/requests.md#limits
test("an account takes 10 tags, not 11", async () => {
  const acme = await api.tenant();
  const tags = Array.from({ length: 11 }, (_, at) => `t${at}`);
  assert.deepEqual((await create(acme, account, { tags: tags.slice(1) }))["tags"], tags.slice(1));
  const reply = await acme.post("/crm/accounts", { name: "Mills", tags });
  const ctx = { field_type: "List", max_length: 10, actual_length: 11 };
  assertInvalid(reply, { type: "too_long", loc: ["body", "tags"], input: tags, ctx });
});

// docs/requests.md#null-and-empty-values
test("PATCH /crm/accounts/{account_id} changes the fields that are sent and no others", async () => {
  const acme = await api.tenant();
  const before = await create(acme, account, FIELDS);
  const stamps = { updated_ts: 0, updated_date: "", version: 0 };
  const changed = await change(acme, account, before["_id"], { industry: "Dyes" });
  assert.deepEqual({ ...changed, ...stamps }, { ...before, industry: "Dyes", ...stamps });
  const other = await create(acme, account);
  for (const [field, value] of Object.entries({ name: "Renamed", ...FIELDS })) {
    const { [field]: told } = await change(acme, account, other["_id"], { [field]: value });
    assert.deepEqual(told, value);
  }
});

// docs/requests.md#null-and-empty-values
test("a PATCH of an account without fields returns 400", async () => {
  const acme = await api.tenant();
  const made = await create(acme, account);
  const reply = await acme.patch(`/crm/accounts/${made["_id"]}`, {});
  assert.equal(assertRefused(reply, 400), "No fields provided for update");
  assert.deepEqual(await read(acme, account, made["_id"]), made);
});

// docs/requests.md#null-and-empty-values
test("null in a PATCH of an account clears free fields and leaves defaults and choices", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, account, FIELDS);
  const sent = { industry: null, num_employees: null, email: null, source: null, status: null };
  const cleared = await change(acme, account, _id, sent);
  assert.deepEqual([cleared["industry"], cleared["num_employees"]], [null, null]);
  assert.deepEqual([cleared["email"], cleared["email_list"]], [null, []]);
  assert.deepEqual([cleared["source"], cleared["status"]], [FIELDS.source, "prospect"]);
});
