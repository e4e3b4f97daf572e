/** Deals (opportunities), field by field: docs/records.md#deal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contact, account, deal } from "./cases.ts";
import {
  assertBlames,
  assertEnum,
  assertInvalid,
  assertLongest,
  assertRefused,
  change,
  create,
  idsOf,
  now,
  read,
  recordOf,
} from "./checks.ts";
import { DEAL_STAGES } from "./enums.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();

/** Every field of OpportunityRequest that does not depend on another field, with a value that is returned unchanged. */
const FIELDS = {
  stage: "developing",
  value_of_sale: 12_500.75,
  probability_pcnt: 0.4,
  expected_close_date: 1_900_000_000,
  marketing_source: "Trade fair",
  business_need_description: "Forty looms",
  product_dict_list: [{ product_id: "loom", unit_amount: 100, unit_count: 40 }],
};

// docs/records.md#deal
test("POST /crm/opportunities returns 200 with the created deal", async () => {
  const acme = await api.tenant();
  const payer = await create(acme, account);
  const person = await create(acme, contact);
  const refs = { account_id: payer["_id"], contact_id: person["_id"] };
  const made = recordOf(
    await acme.post("/crm/opportunities", { name: "Looms", ...refs, ...FIELDS }),
  );
  for (const [field, value] of Object.entries({ name: "Looms", ...refs, ...FIELDS })) {
    assert.deepEqual(made[field], value, field);
  }
  assert.equal(made["account_name"], payer["name"]);
  assert.equal(made["contact_name"], person["name"]);
  assert.equal(made["timestamp"], made["created_ts"]);
  assert.deepEqual(await read(acme, deal, made["_id"]), made);
});

// docs/lists.md
test("GET /crm/deals returns a bare array, newest first, of page_size", async () => {
  const acme = await api.tenant();
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) ids.unshift((await create(acme, deal))["_id"]);
  assert.deepEqual(idsOf(await acme.get("/crm/deals")), ids);
  assert.deepEqual(idsOf(await acme.get("/crm/deals", { page_size: 1 })), ids.slice(0, 1));
});

// docs/records.md#deal
test("a deal needs a name, and account_id or contact_id", async () => {
  const acme = await api.tenant();
  const payer = await create(acme, account);
  const person = await create(acme, contact);
  assertBlames(await acme.post("/crm/opportunities", { name: "Looms" }), "body");
  const nulls = { name: "Looms", account_id: null, contact_id: null };
  assertBlames(await acme.post("/crm/opportunities", nulls), "body");
  const nameless = { account_id: payer["_id"] };
  assertInvalid(await acme.post("/crm/opportunities", nameless), {
    type: "missing",
    loc: ["body", "name"],
    msg: "Field required",
    input: nameless,
  });
  const one = recordOf(await acme.post(deal.write, { name: "A", account_id: payer["_id"] }));
  assert.deepEqual([one["contact_id"], one["contact_name"]], [null, null]);
  const other = recordOf(await acme.post(deal.write, { name: "B", contact_id: person["_id"] }));
  assert.deepEqual([other["account_id"], other["account_name"]], [null, null]);
});

// docs/records.md#deal
test("the stage of a deal defaults to discovery, all else to null", async () => {
  const made = await create(await api.tenant(), deal);
  for (const name of deal.returns) assert.ok(name in made, `${name} is missing`);
  assert.equal(made["stage"], "discovery");
  assert.deepEqual(made["product_dict_list"], []);
  const empty = ["probability_pcnt", "expected_close_date", "close_date", "renewal_date"];
  const texts = ["marketing_source", "business_need_description", "lost_reason"];
  for (const field of [...empty, ...texts]) {
    assert.equal(made[field], null, field);
  }
});

// docs/records.md#deal
test("the stage of a deal takes its 8 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), deal, "stage", DEAL_STAGES));

// docs/records.md#deal
test("probability_pcnt is between 0 and 1", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, account);
  for (const probability_pcnt of [0, 0.333, 1]) {
    const made = await create(acme, deal, { probability_pcnt });
    assert.equal(made["probability_pcnt"], probability_pcnt);
  }
  const cases = [
    [1.01, "less_than_equal", "Input should be less than or equal to 1", { le: 1 }],
    [-0.01, "greater_than_equal", "Input should be greater than or equal to 0", { ge: 0 }],
  ] as const;
  for (const [input, type, msg, ctx] of cases) {
    const body = { name: "Looms", account_id: _id, probability_pcnt: input };
    const loc = ["body", "probability_pcnt"];
    assertInvalid(await acme.post(deal.write, body), { type, loc, msg, input, ctx });
  }
});

// docs/records.md#deal
test("every text of a deal has its maximum length", async () => {
  const acme = await api.tenant();
  await assertLongest(acme, deal, "name", 500);
  await assertLongest(acme, deal, "business_need_description", 10_000);
  await assertLongest(acme, deal, "marketing_source", 500);
});

// docs/requests.md#parameters
test("numbers and lists of a deal with another JSON type return 422", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, account);
  for (const field of ["value_of_sale", "probability_pcnt", "expected_close_date"]) {
    const body = { name: "Looms", account_id: _id, [field]: "5" };
    const reply = await acme.post(deal.write, body);
    const msg = "Input should be a valid number";
    assertInvalid(reply, { type: "float_type", loc: ["body", field], msg, input: "5" });
    assertBlames(await acme.post(deal.write, { ...body, [field]: true }), "body", field);
  }
  for (const product_dict_list of [{}, "x", ["x"], [5]]) {
    const body = { name: "Looms", account_id: _id, product_dict_list };
    assertBlames(await acme.post(deal.write, body), "body", "product_dict_list");
  }
});

// docs/records.md#deal
test("PATCH /crm/opportunities/{opportunity_id} changes its fields and leaves the others", async () => {
  const acme = await api.tenant();
  const before = await create(acme, deal);
  for (const [field, value] of Object.entries({ name: "Fifty looms", ...FIELDS })) {
    assert.deepEqual((await change(acme, deal, before["_id"], { [field]: value }))[field], value);
  }
  const stored = await read(acme, deal, before["_id"]);
  assert.equal(stored["account_id"], before["account_id"]);
  assert.equal(stored["version"], 1 + Object.keys(FIELDS).length + 1);
});

// docs/requests.md#sending-a-record-back
test("a PATCH of a deal rejects another account or contact and ignores the same one", async () => {
  const acme = await api.tenant();
  const made = await create(acme, deal);
  const other = await create(acme, account);
  const path = `${deal.write}/${made["_id"]}`;
  assertBlames(
    await acme.patch(path, { name: "X", account_id: other["_id"] }),
    "body",
    "account_id",
  );
  assertBlames(
    await acme.patch(path, { name: "X", contact_id: other["_id"] }),
    "body",
    "contact_id",
  );
  const same = recordOf(await acme.patch(path, { name: "X", account_id: made["account_id"] }));
  assert.equal(same["name"], "X");
});

// docs/requests.md#null-and-empty-values
test("a PATCH of an opportunity without fields returns 400", async () => {
  const acme = await api.tenant();
  const made = await create(acme, deal);
  const reply = await acme.patch(`${deal.write}/${made["_id"]}`, {});
  assert.equal(assertRefused(reply, 400), "No fields provided for update");
});

// docs/requests.md#timestamps
test("any change of a deal changes updated_ts, an equal value does not", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, deal, FIELDS);
  for (const [field, value] of Object.entries({ name: "Other", ...FIELDS, value_of_sale: 7 })) {
    await api.restamp("deals", _id, { updated_ts: 1_600_000_000 });
    const was = (await read(acme, deal, _id))[field];
    const told = await change(acme, deal, _id, { [field]: was });
    assert.equal(told["updated_ts"], 1_600_000_000, field);
    if (field !== "name" && field !== "value_of_sale") continue;
    assert.ok((await change(acme, deal, _id, { [field]: value }))["updated_ts"] > 1_700_000_000);
  }
});

// docs/records.md#deal-values
test("the estimated value is the value times the probability", async () => {
  const acme = await api.tenant();
  const cases = [
    [{ value_of_sale: 1000, probability_pcnt: 0.25 }, 250],
    [{ value_of_sale: 1000 }, 1000],
    [{ value_of_sale: 0.45, probability_pcnt: 0.1 }, 0.04],
    [{ value_of_sale: 0.35, probability_pcnt: 0.1 }, 0.04],
    [{ value_of_sale: -100.1, probability_pcnt: 0.5 }, -50.05],
  ] as const;
  for (const [fields, estimate] of cases) {
    assert.equal((await create(acme, deal, fields))["estimated_value_of_sale"], estimate);
  }
});

const products = (unit_amount: number, unit_count: number) => ({
  product_dict_list: [
    { unit_amount, unit_count },
    { unit_amount: 0.2, unit_count: 1 },
  ],
});

// docs/records.md#deal-values
test("the value follows the products until one is sent, and again after null", async () => {
  const acme = await api.tenant();
  const made = await create(acme, deal, products(0.1, 1));
  assert.equal(made["value_of_sale"], 0.3);
  const next = await change(acme, deal, made["_id"], products(10, 3));
  assert.equal(next["value_of_sale"], 30.2);
  const sent = await change(acme, deal, made["_id"], { value_of_sale: 5 });
  assert.equal(sent["value_of_sale"], 5);
  assert.equal((await change(acme, deal, made["_id"], products(1, 1)))["value_of_sale"], 5);
  const again = await change(acme, deal, made["_id"], { value_of_sale: null });
  assert.equal(again["value_of_sale"], 1.2);
  assert.deepEqual(await change(acme, deal, made["_id"], { value_of_sale: null }), again);
});

// docs/records.md#money
test("a sum of products with too many digits is not stored in place of the value that was sent", async () => {
  const acme = await api.tenant();
  const most = 999_999_999_999_999;
  const huge = { product_dict_list: [{ unit_amount: most, unit_count: most }] };
  const made = await create(acme, deal, { ...huge, value_of_sale: 1, name: "Looms" });
  const path = `${deal.write}/${made["_id"]}`;
  assertBlames(await acme.patch(path, { value_of_sale: null }), "body", "product_dict_list");
  assert.equal((await change(acme, deal, made["_id"], { ...made, name: "X" }))["value_of_sale"], 1);
  // The sum is not stored while the value is one that was sent.
  const valued = await create(acme, deal, { value_of_sale: 5 });
  assert.equal((await change(acme, deal, valued["_id"], huge))["value_of_sale"], 5);
  const summed = await create(acme, deal, products(1, 1));
  const sentBack = { ...summed, ...huge };
  const reply = await acme.patch(`${deal.write}/${summed["_id"]}`, sentBack);
  assertBlames(reply, "body", "product_dict_list");
});

// docs/records.md#deal-values
test("close_date is set when a deal closes and cleared when it opens again", async () => {
  const acme = await api.tenant();
  for (const stage of ["closed_won", "closed_lost"]) {
    const { _id, close_date } = await create(acme, deal, { stage });
    assert.ok(Math.abs(close_date - now()) < 60);
    assert.equal((await change(acme, deal, _id, { stage: "developing" }))["close_date"], null);
    const closed = await change(acme, deal, _id, { stage });
    assert.ok(Math.abs(closed["close_date"] - now()) < 60);
  }
});

test("lost_reason is kept while a deal is lost, and cleared when it opens again", async () => {
  const acme = await api.tenant();
  const made = await create(acme, deal, { stage: "closed_lost", lost_reason: "Price" });
  assert.equal(made["lost_reason"], "Price");
  const changed = await change(acme, deal, made["_id"], { lost_reason: "No budget" });
  assert.equal(changed["lost_reason"], "No budget");
  const open = await change(acme, deal, made["_id"], { stage: "developing" });
  assert.equal(open["lost_reason"], null);
  const again = await change(acme, deal, made["_id"], { stage: "closed_lost" });
  assert.equal(again["lost_reason"], null);
});

// docs/records.md#deal
test("renewal_date can be sent on create and PATCH", async () => {
  const acme = await api.tenant();
  const made = await create(acme, deal, { renewal_date: 1_950_000_000 });
  assert.equal(made["renewal_date"], 1_950_000_000);
  const later = await change(acme, deal, made["_id"], { renewal_date: 1_960_000_000 });
  assert.equal(later["renewal_date"], 1_960_000_000);
});

// docs/records.md#money
test("money has at most 15 digits and 6 decimals and can be negative", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, account);
  for (const value_of_sale of [0.1, 1.000001, 123_456_789_012_345, 999_999_999.123456, -5.5]) {
    const made = await create(acme, deal, { value_of_sale });
    assert.equal(made["value_of_sale"], value_of_sale);
  }
  for (const value_of_sale of [0.1234567, 1_234_567_890_123_456, 1e15 + 0.5]) {
    const body = { name: "Looms", account_id: _id, value_of_sale };
    assertBlames(await acme.post(deal.write, body), "body", "value_of_sale");
  }
});

// docs/records.md#deal-paths
test("deals are read under /crm/deals and written under /crm/opportunities", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, deal);
  for (const path of [`/crm/deals/${_id}`, `/crm/opportunities/${_id}`]) {
    assert.equal(recordOf(await acme.get(path))["_id"], _id);
  }
  assertRefused(await acme.post("/crm/deals", { name: "Looms" }), 405);
  assertRefused(await acme.get("/crm/opportunities"), 405);
  assertRefused(await acme.patch(`/crm/deals/${_id}`, { name: "Looms" }), 405);
});
