/** What a push may contain, and how invalid pushes are rejected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import { faultsOf, partnerOf, PUSH, refused, REVIEW, reviewed, somebody } from "../exchange-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google", "Referral"] });

const members = (count: number): Body =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`wish ${at}`, at]));

/** Rejected bodies, each with all of its errors. */
const REFUSED: Readonly<Record<string, readonly [fields: Body, ...faults: string[]]>> = {
  "no name": [{ name: undefined }, "body.name missing"],
  "null for a name": [{ name: null }, "body.name string_type"],
  "an empty name": [{ name: "" }, "body.name string_too_short"],
  "a name of 501 characters": [{ name: "x".repeat(501) }, "body.name string_too_long"],
  "no email and no phone": [{ email: undefined }, "body value_error"],
  "null for both email and phone": [{ email: null, phone: null }, "body value_error"],
  "blanks for both email and phone": [{ email: " ", phone: "\t" }, "body value_error"],
  "an email of 255 characters": [{ email: "x".repeat(255) }, "body.email string_too_long"],
  "a phone of 51 characters": [{ phone: "5".repeat(51) }, "body.phone string_too_long"],
  "comments of 5001 characters": [{ comments: "x".repeat(5001) }, "body.comments string_too_long"],
  "a description of 10001 characters": [
    { description: "x".repeat(10_001) },
    "body.description string_too_long",
  ],
  "51 preferences": [{ match_preferences: members(51) }, "body.match_preferences too_long"],
  "51 preferences by their other name": [
    { match_preferences_dict: members(51) },
    "body.match_preferences_dict too_long",
  ],
  "preferences of more than 64 KiB": [
    { match_preferences: { text: "é".repeat(32 * 1024) } },
    "body.match_preferences value_error",
  ],
  "preferences of more than 64 KiB by their other name": [
    { match_preferences_dict: { list: Array(32 * 1024).fill(1) } },
    "body.match_preferences_dict value_error",
  ],
  "a list of preferences": [{ match_preferences: ["a"] }, "body.match_preferences dict_type"],
  "a source that is none": [{ source: "Carrier Pigeon" }, "body.source enum"],
  "a source that is not allowed": [{ source: "Yelp" }, "body.source enum"],
  "a number for a source": [{ source: 5 }, "body.source string_type"],
  "a status": [{ status: "accepted" }, "body.status extra_forbidden"],
  "another partner's id": [{ partner_id: "x" }, "body.partner_id extra_forbidden"],
  "an unknown member": [{ colour: "red" }, "body.colour extra_forbidden"],
  "a number for a name": [{ name: 5 }, "body.name string_type"],
  "text that cannot be stored": [{ comments: "a\0b" }, "body.comments string_unicode"],
};

for (const [name, [fields, ...expected]] of Object.entries(REFUSED)) {
  test(`a push with ${name} is rejected`, async () => {
    const before = ok(await acme.get(REVIEW)).body;
    assert.deepEqual(faultsOf(await partner.post(PUSH, somebody(fields))), expected);
    assert.deepEqual(ok(await acme.get(REVIEW)).body, before);
  });
}

test("all errors in a push are returned together", async () => {
  const body = {
    email: " ",
    source: "Yelp",
    comments: 5,
    match_preferences: members(51),
    expiration_date: "yesterday",
    colour: "red",
  };
  const faults = faultsOf(await partner.post(PUSH, body));
  assert.deepEqual(
    new Set(faults),
    new Set([
      "body value_error",
      "body.name missing",
      "body.source enum",
      "body.comments string_type",
      "body.match_preferences too_long",
      "body.expiration_date value_error",
      "body.colour extra_forbidden",
    ]),
  );
  assert.equal(faults.length, 7);
});

test("the error for large preferences states the limit", async () => {
  const person = somebody({ match_preferences: { text: "x".repeat(64 * 1024) } });
  const [{ msg }] = (await partner.post(PUSH, person)).body.detail;
  assert.equal(msg, "Value error, this can have at most 64 KiB of JSON");
});

test("a source that is not allowed is rejected with the list of allowed ones", async () => {
  const { body } = await partner.post(PUSH, somebody({ source: "Yelp" }));
  const [{ msg, input, ctx }] = body.detail;
  assert.equal(msg, "Input should be 'Google' or 'Referral'");
  assert.equal(input, "Yelp");
  assert.deepEqual(ctx, { expected: "'Google' or 'Referral'" });
});

test("a body that is no object, or no JSON, is rejected", async () => {
  assert.equal((await partner.post(PUSH, [somebody()])).status, 422);
  assert.equal((await partner.post(PUSH)).status, 422);
});

test("the largest possible push is stored and shown to both sides", async () => {
  const preferences = { ...members(48), nested: { list: [1, { deep: null }] }, text: "" };
  const rest = 64 * 1024 - JSON.stringify(preferences).length;
  const fields = {
    name: "x".repeat(500),
    email: `${"x".repeat(242)}@example.com`,
    phone: "(555) 555-0100",
    source: "Referral",
    comments: "c".repeat(5000),
    description: "d".repeat(10_000),
    match_preferences: { ...preferences, text: "x".repeat(rest) },
  };
  const pushed = await partner.push(fields);
  const told = Object.fromEntries(Object.keys(fields).map((name) => [name, pushed[name]]));
  assert.deepEqual(told, fields);
  const {
    possible_duplicate: _,
    resembles: __,
    history: ___,
    delivery,
    ...review
  } = await reviewed(acme, pushed.id);
  const { history: ____, ...seen } = pushed;
  assert.deepEqual(review, seen);
  assert.equal(delivery, null);
});

test("omitted values are null, and preferences can have either name", async () => {
  const pushed = await partner.push({ comments: null, description: null, match_preferences: null });
  for (const name of ["phone", "comments", "description", "match_preferences"]) {
    assert.equal(pushed[name], null);
  }
  const { expiration_date, rejection_reason, imported_lead_id } = pushed;
  assert.deepEqual([expiration_date, rejection_reason, imported_lead_id], [null, null, null]);
  const { match_preferences } = await partner.push({ match_preferences_dict: { city: "Leeds" } });
  assert.deepEqual(match_preferences, { city: "Leeds" });
});

test("preferences keep their order and spelling", async () => {
  const text = '{"b":1,"a":{"z":[1.50,"é"],"y":true}}';
  const { id } = await partner.push({ match_preferences: JSON.parse(text) as Body });
  const { match_preferences } = await reviewed(acme, id);
  assert.equal(JSON.stringify(match_preferences), JSON.stringify(JSON.parse(text)));
});

test("without a source a push has the first of the allowed ones", async () => {
  assert.equal((await partner.push())["source"], "Google");
  assert.equal((await partner.push({ source: null }))["source"], "Google");
  assert.equal((await partner.push({ source: "Referral" }))["source"], "Referral");
});

test("a partner without allowed sources pushes Unknown, and nothing else", async () => {
  const bare = await partnerOf(acme, { allowed_marketing_sources: [] });
  assert.equal((await bare.push())["source"], "Unknown");
  assert.equal((await bare.push({ source: "Unknown" }))["source"], "Unknown");
  const answer = await bare.post(PUSH, somebody({ source: "Google" }));
  assert.deepEqual(faultsOf(answer), ["body.source enum"]);
  assert.ok(answer.text.includes("'Unknown'"));
});

test("a partner with allowed sources cannot push Unknown", async () => {
  const answer = await partner.post(PUSH, somebody({ source: "Unknown" }));
  assert.deepEqual(faultsOf(answer), ["body.source enum"]);
});

test("a partner without can_push is rejected before its body is read", async () => {
  const silent = await partnerOf(acme, { can_push: false });
  const { detail } = refused(await silent.post(PUSH, { nonsense: true }), 403);
  assert.ok(String(detail).includes("push"));
  const { body } = ok(await silent.get("/crm/partner/pushed"));
  assert.deepEqual(body, []);
});

test("a push is logged as the partner's action, with its values", async () => {
  const { id } = await partner.push({ comments: "Call at noon" });
  const entries = ok(await acme.get("/crm/admin/audit", { subject_id: id })).body as Body[];
  assert.equal(entries.length, 1);
  const [{ action, actor, fields } = {} as Body] = entries;
  assert.equal(action, "pushed");
  assert.deepEqual(
    [(actor as Body)["kind"], (actor as Body)["id"]],
    ["partner", partner.partner_id],
  );
  assert.deepEqual((fields as Body)["comments"], { old: null, new: "Call at noon" });
});
