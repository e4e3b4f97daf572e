/** Names, addresses, birth dates and other fields of people, on leads and contacts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contact, lead } from "./cases.ts";
import {
  assertBlames,
  assertInvalid,
  assertRefused,
  change,
  create,
  read,
  recordOf,
  type Row,
} from "./checks.ts";
import { startApi } from "../kit/api.ts";
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

const names = (name: string, first_name: string, last_name: string): Row => ({
  name,
  first_name,
  last_name,
});
const namesIn = ({ name, first_name, last_name }: Row) => [name, first_name, last_name];

const mainEmail = (email: string, result: number) => [
  { type: "Main", email, email_validation_dict: { result } },
];

for (const type of [lead, contact]) {
  // docs/records.md#email-addresses-and-phone-numbers
  test(`email and phone of a ${type.name} are stored as sent, and listed in checked form`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type, { email: "Ada@Example.com", phone: "555-555-5555" });
    assert.equal(made["email"], "Ada@Example.com");
    assert.deepEqual(made["email_list"], mainEmail("Ada@Example.com", 1));
    assert.equal(made["phone"], "555-555-5555");
    const american = { type: "Main", phone: "15555555555", country: "US" };
    assert.deepEqual(made["phone_list"], [{ ...american, formatted_phone: "(555) 555-5555" }]);
    const odd = await create(acme, type, { email: "not an address", phone: "call me" });
    assert.deepEqual(odd["email_list"], mainEmail("not an address", 2));
    const unread = { type: "Main", phone: "call me", country: null, formatted_phone: null };
    assert.deepEqual(odd["phone_list"], [unread]);
    const again = await change(acme, type, odd["_id"], { email: "a@example.com" });
    assert.deepEqual(again["email_list"], mainEmail("a@example.com", 1));
    const gone = await change(acme, type, odd["_id"], { email: null, phone: null });
    assert.deepEqual([gone["email"], gone["phone"]], [null, null]);
    assert.deepEqual([gone["email_list"], gone["phone_list"]], [[], []]);
  });

  // docs/records.md#names
  test(`first and last name of a ${type.name} are split from the name or sent`, async () => {
    const acme = await api.tenant();
    const cases = [
      ["Test User", "Test", "User"],
      ["Mary Ann  Smith", "Mary Ann", "Smith"],
      ["Cher", "Cher", null],
    ] as const;
    for (const [name, first, last] of cases) {
      const made = await create(acme, type, { name });
      assert.deepEqual([made["first_name"], made["last_name"]], [first, last]);
    }
    const sent = { name: "Anna de Vries", first_name: "Anna", last_name: "de Vries" };
    const made = await create(acme, type, sent);
    assert.deepEqual(sent, {
      name: made["name"],
      first_name: made["first_name"],
      last_name: made["last_name"],
    });
    const alone = await acme.post(type.write, { first_name: "A", last_name: "B" });
    assertInvalid(alone, { type: "missing", loc: ["body", "name"] });
  });

  // docs/records.md#names
  test(`the first and last name that are sent with a new name of a ${type.name} are stored as sent`, async () => {
    const acme = await api.tenant();
    const cases = [
      [{ name: "Maria Garcia" }, names("Maria Garcia Lopez", "Maria", "Garcia Lopez")],
      [{ name: "Maria Garcia" }, names("Maria Garcia Lopez", "Maria Garcia", "G. Lopez")],
      [{ name: "Maria Garcia" }, { name: "Maria Garcia Lopez", first_name: "Maria" }],
      [names("A. Lovelace", "Ada", "Lovelace"), names("A. King", "Ada", "King")],
      [names("A. Lovelace", "Ada", "L."), names("Ada Lovelace", "Ada", "L.")],
    ];
    for (const [before = {}, sent = {}] of cases) {
      const { _id } = await create(acme, type, before);
      const changed = await change(acme, type, _id, sent);
      assert.deepEqual({ ...changed, ...sent }, changed);
      assert.deepEqual(await change(acme, type, _id, sent), changed);
    }
    const email = `${type.name}@names.example`;
    await create(acme, type, { name: "Eva Moreno", email });
    const sent = names("Eva Moreno Diaz", "Eva", "Moreno Diaz");
    const put = await acme.put(`${type.write}/by/email/${email}`, sent);
    assert.deepEqual(namesIn(put.body), Object.values(sent));
    const other = names("Eva M. Diaz", "Eva", "M. Diaz");
    const posted = await acme.post(`${type.write}?on_duplicate=update`, { email, ...other });
    assert.deepEqual(namesIn(posted.body), Object.values(other));
  });

  // docs/records.md#names
  test(`a ${type.name} that is sent back with only a new name gets the first and last name in it`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type, { name: "Eva Moreno" });
    const renamed = await change(acme, type, made["_id"], { ...made, name: "Eva Maria Moreno" });
    assert.deepEqual(namesIn(renamed), ["Eva Maria Moreno", "Eva Maria", "Moreno"]);
    const set = await create(acme, type, names("A. Lovelace", "Ada", "Lovelace"));
    const kept = await change(acme, type, set["_id"], { ...set, name: "Ada Lovelace" });
    assert.deepEqual(namesIn(kept), ["Ada Lovelace", "Ada", "Lovelace"]);
    const split = await change(acme, type, set["_id"], { name: "A. King" });
    assert.deepEqual(namesIn(split), ["A. King", "A.", "King"]);
  });

  // docs/records.md#social-security-numbers
  test(`the social security number of a ${type.name} is shown masked`, async () => {
    const acme = await api.tenant();
    for (const ssn of ["123-45-6789", "123456789"]) {
      const made = await create(acme, type, { ssn });
      assert.equal(made["ssn"], "***-**-6789");
      assert.equal((await read(acme, type, made["_id"]))["ssn"], "***-**-6789");
    }
    const list = await acme.get(type.list);
    assert.ok(!list.text.includes("123456789") && !list.text.includes("123-45-6789"));
    for (const ssn of ["12345678", "1234567890", "123-456-789", "abc-de-fghi", 123456789]) {
      assertBlames(await acme.post(type.write, { name: "Ada", ssn }), "body", "ssn");
    }
  });

  // docs/records.md#numbers-and-lists
  test(`the birth date of a ${type.name} takes whole numbers in range, or digits`, async (t) => {
    const thisYear = 2026;
    const clock = { now_ms: () => Date.UTC(thisYear, 11, 31, 23, 59, 59) };
    const acme = await (await startApi(t, { clock })).tenant();
    const made = await create(acme, type, { birth_year: "1990", birth_month: "2", birth_day: 3 });
    assert.deepEqual([made["birth_year"], made["birth_month"], made["birth_day"]], [1990, 2, 3]);
    const edges = [{ birth_year: 1900 }, { birth_year: thisYear }, { birth_month: 12 }];
    for (const edge of [...edges, { birth_day: 31 }]) await create(acme, type, edge);
    const wrong = {
      birth_year: [1899, thisYear + 1, "x", 1990.5],
      birth_month: [0, 13, "x"],
      birth_day: [0, 32, ""],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values.filter((given) => given !== "")) {
        assertBlames(await acme.post(type.write, { name: "Ada", [field]: value }), "body", field);
      }
    }
    const never = { name: "Ada", birth_year: 2001, birth_month: 2, birth_day: 29 };
    assertBlames(await acme.post(type.write, never), "body");
  });

  // docs/records.md#lead
  test(`a social entry of a ${type.name} needs type or platform, and a url`, async () => {
    const acme = await api.tenant();
    const list = [
      { type: "Linkedin", url: "https://a.example.com", followers: 7 },
      { platform: "Facebook", url: "https://b.example.com" },
    ];
    const made = await create(acme, type, { social_dict_list: list });
    assert.deepEqual(made["social_dict_list"], list);
    for (const entry of [{ type: "Linkedin" }, { url: "https://a.example.com" }, {}]) {
      const reply = await acme.post(type.write, { name: "Ada", social_dict_list: [entry] });
      assertBlames(reply, "body", "social_dict_list", 0);
    }
  });

  // docs/requests.md#null-and-empty-values
  test(`null means "not given" when a ${type.name} is created`, async () => {
    const acme = await api.tenant();
    const nothing = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, null]));
    const bare = await create(acme, type);
    const nulls = await create(acme, type, nothing);
    for (const field of [...Object.keys(FIELDS), "email_list", "phone_list"]) {
      assert.deepEqual(nulls[field], bare[field], field);
    }
  });

  // docs/requests.md#null-and-empty-values
  test(`null in a PATCH of a ${type.name} clears a free field and leaves a choice`, async () => {
    const acme = await api.tenant();
    const { _id } = await create(acme, type, FIELDS);
    const cleared = await change(acme, type, _id, { title: null, tags: null, status: null });
    assert.equal(cleared["title"], null);
    assert.deepEqual(cleared["tags"], []);
    assert.equal(cleared["status"], "contacted");
    for (const body of [{ status: null }, { source: null }, { status: null, source: null }]) {
      assertRefused(await acme.patch(`${type.write}/${_id}`, body), 400);
    }
  });
}

// docs/requests.md#sending-a-record-back
test("a lead takes lead_status and lead_source for status and source", async () => {
  const acme = await api.tenant();
  const made = await create(acme, lead, { lead_status: "open", lead_source: "Yelp" });
  const names = ["status", "lead_status", "source", "lead_source"];
  assert.deepEqual(
    names.map((name) => made[name]),
    ["open", "open", "Yelp", "Yelp"],
  );
  const both = await create(acme, lead, { lead_status: "open", status: "contacted" });
  assert.equal(both["lead_status"], "contacted");
  const sent = await change(acme, lead, made["_id"], { marketing_source: "Bing" });
  assert.equal(sent["lead_source"], "Bing");
  assertBlames(await acme.post(lead.write, { name: "Ada", lead_status: "zzz" }), "body");
});

// docs/requests.md#sending-a-record-back
test("a contact takes marketing_source and lead_source for source", async () => {
  const acme = await api.tenant();
  for (const name of ["marketing_source", "lead_source", "source"]) {
    const made = await create(acme, contact, { [name]: "Yelp" });
    const told = ["source", "lead_source", "marketing_source"].map((field) => made[field]);
    assert.deepEqual(told, ["Yelp", "Yelp", "Yelp"]);
    assert.ok(!("lead_status" in made) && !("converted_to_contact" in made));
  }
});

// docs/records.md#references
test("the account_id of a contact must be an account of the tenant", async () => {
  const acme = await api.tenant();
  const { _id } = recordOf(await acme.post("/crm/accounts", { name: "Example Mills" }));
  assert.equal((await create(acme, contact, { account_id: _id }))["account_id"], _id);
  const other = await (await api.tenant()).post("/crm/accounts", { name: "Foreign" });
  const foreign = recordOf(other)["_id"];
  const reply = await acme.post(contact.write, { name: "Ada", account_id: foreign });
  assertBlames(reply, "body", "account_id");
});
