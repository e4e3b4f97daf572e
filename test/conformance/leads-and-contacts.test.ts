/** Leads and contacts, field by field: docs/records.md#lead and docs/records.md#contact. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contact, lead } from "./cases.ts";
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
import { LEAD_SOURCES, LEAD_STATUSES } from "./enums.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();

/** Every field of LeadRequest, with a value that is returned unchanged. */
const FIELDS = {
  email: "ada@example.com",
  phone: "+1 202-555-0123",
  source: "Referral",
  status: "contacted",
  comments: "Met at the fair.\nWants two looms.",
  tags: ["vip", "north"],
  employer_name: "Example Mills",
  profession: "engineer",
  title: "Dr",
  website: "https://ada.example.com",
  birth_year: 1990,
  birth_month: 2,
  birth_day: 28,
  decision_date: 1_800_000_000,
  business_need_description: "Forty looms by spring",
  social_dict_list: [{ type: "Linkedin", url: "https://social.example.com/ada" }],
};

const TEXTS = {
  name: 500,
  email: 254,
  phone: 50,
  comments: 5000,
  employer_name: 500,
  profession: 200,
  title: 200,
  website: 2048,
  business_need_description: 10_000,
};

for (const type of [lead, contact]) {
  // docs/records.md#lead
  test(`POST ${type.write} returns 200 with the created ${type.name}`, async () => {
    const acme = await api.tenant();
    const made = recordOf(await acme.post(type.write, { name: "Ada Lovelace", ...FIELDS }));
    assert.equal(made["name"], "Ada Lovelace");
    for (const [field, value] of Object.entries(FIELDS)) {
      assert.deepEqual(made[field], value, field);
    }
    assert.deepEqual(await read(acme, type, made["_id"]), made);
    assert.deepEqual(idsOf(await acme.get(type.list)), [made["_id"]]);
  });

  // docs/records.md#lead
  test(`a ${type.name} needs only a name, and has defaults for the rest`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type);
    for (const name of type.returns) assert.ok(name in made, `${name} is missing`);
    assert.equal(made["source"], "Unknown");
    assert.equal(made["status"], "assigned");
    for (const list of ["tags", "email_list", "phone_list", "social_dict_list"]) {
      assert.deepEqual(made[list], [], list);
    }
    for (const field of "email phone comments title website ssn birth_day".split(" ")) {
      assert.equal(made[field], null, field);
    }
    const missing = { type: "missing", loc: ["body", "name"], msg: "Field required" };
    assertInvalid(await acme.post(type.write, {}), { ...missing, input: {} });
  });

  // docs/records.md#lead
  test(`the source of a ${type.name} takes its 18 values`, async () =>
    assertEnum(await api.tenant(), type, "source", LEAD_SOURCES));

  // docs/records.md#lead
  test(`the status of a ${type.name} takes its 7 values on create and PATCH`, async () =>
    assertEnum(await api.tenant(), type, "status", LEAD_STATUSES));

  // docs/requests.md#timestamps
  test(`status_update_date of a ${type.name} changes only with the status`, async () => {
    const acme = await api.tenant();
    const { _id } = await create(acme, type);
    const old = { created_ts: 1_600_000_000, updated_ts: 1_600_000_001 };
    await api.restamp(type.table, _id, { ...old, status_update_date: 1_600_000_002 });
    await change(acme, type, _id, { status: "assigned" });
    assert.equal((await read(acme, type, _id))["updated_ts"], 1_600_000_001);
    const renamed = await change(acme, type, _id, { name: "Other", status: "assigned" });
    assert.equal(renamed["status_update_date"], 1_600_000_002);
    assert.ok(renamed["updated_ts"] > 1_700_000_000);
    const moved = await change(acme, type, _id, { status: "open" });
    assert.ok(moved["status_update_date"] > 1_700_000_000);
    assert.equal(moved["created_ts"], 1_600_000_000);
  });

  // docs/records.md#lead
  test(`every text of a ${type.name} has its maximum length`, async () => {
    const acme = await api.tenant();
    for (const [field, max] of Object.entries(TEXTS)) await assertLongest(acme, type, field, max);
  });

  // docs/requests.md#parameters
  test(`texts, numbers and lists of a ${type.name} with another JSON type return 422`, async () => {
    const acme = await api.tenant();
    for (const field of ["name", "email", "comments", "business_need_description"]) {
      for (const input of [5, true, ["a"], { a: 1 }]) {
        const body = { name: "Ada", [field]: input };
        const msg = "Input should be a valid string";
        assertInvalid(await acme.post(type.write, body), {
          type: "string_type",
          loc: ["body", field],
          msg,
          input,
        });
      }
    }
    const wrong = {
      tags: ["a", [5], { a: 1 }],
      social_dict_list: ["a", {}, ["a"]],
      decision_date: ["1700000000", true, [1]],
      employer_name: [["a"], { a: 1 }],
      profession: [["a"], { a: 1 }],
      title: [["a"], { a: 1 }],
      website: [["a"], { a: 1 }],
      birth_year: [["a"], { a: 1 }],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        assertBlames(await acme.post(type.write, { name: "Ada", [field]: value }), "body", field);
      }
    }
  });

  // docs/requests.md#limits
  test(`a ${type.name} takes 10 tags of 100 characters, not 11`, async () => {
    const acme = await api.tenant();
    const ten = Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(100, "x"));
    assert.deepEqual((await create(acme, type, { tags: ten }))["tags"], ten);
    const tags = Array.from({ length: 11 }, () => "x");
    const fault = {
      type: "too_long",
      loc: ["body", "tags"],
      msg: "List should have at most 10 items after validation, not 11",
      input: tags,
      ctx: { field_type: "List", max_length: 10, actual_length: 11 },
    };
    assertInvalid(await acme.post(type.write, { name: "Ada", tags }), fault);
    const long = await acme.post(type.write, { name: "Ada", tags: ["ok", "x".repeat(101)] });
    assertInvalid(long, { type: "string_too_long", loc: ["body", "tags", 1] });
  });

  // docs/requests.md#null-and-empty-values
  test(`PATCH ${type.write}/{${type.param}} changes the fields that are sent and no others`, async () => {
    const acme = await api.tenant();
    const before = await create(acme, type, FIELDS);
    const path = `${type.write}/${before["_id"]}`;
    const after_ = recordOf(await acme.patch(path, { title: "Prof", tags: ["south"] }));
    const stamps = { updated_ts: 0, updated_date: "", version: 0 };
    assert.deepEqual(
      { ...after_, ...stamps },
      { ...before, title: "Prof", tags: ["south"], ...stamps },
    );
    assert.equal(after_["version"], before["version"] + 1);
    for (const [field, value] of Object.entries({ name: "Countess", ...FIELDS })) {
      assert.deepEqual((await change(acme, type, before["_id"], { [field]: value }))[field], value);
    }
  });

  // docs/requests.md#null-and-empty-values
  test(`a PATCH of a ${type.name} without fields returns 400`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type);
    const reply = await acme.patch(`${type.write}/${made["_id"]}`, {});
    assert.equal(assertRefused(reply, 400), "No fields provided for update");
    assert.deepEqual(await read(acme, type, made["_id"]), made);
  });
}
