/**
 * A partner has at most one pending or accepted lead per person, however often it pushes the person and however the
 * details are written.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import {
  decide,
  importPushed,
  movesLogged,
  partnerOf,
  PUSH,
  refused,
  REVIEW,
  somebody,
  type DecisionWord,
} from "../exchange-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const partner = await partnerOf(acme);

/** Pairs of pushes that describe the same person in different ways. */
const ONE: Readonly<Record<string, readonly [first: Body, second: Body]>> = {
  "the same email": [{ email: "same@example.com" }, { email: "same@example.com" }],
  "the email in other letters": [{ email: "Case@Example.com" }, { email: "cASE@eXAMPLE.COM" }],
  "the email between blanks": [{ email: "blank@example.com" }, { email: "  blank@example.com\t" }],
  "the number with and without its country": [
    { email: undefined, phone: "(555) 555-0101" },
    { email: undefined, phone: "+1 555 555 0101" },
  ],
  "the number in other punctuation": [
    { email: undefined, phone: "555.555.0102" },
    { email: undefined, phone: "1-555-555-0102" },
  ],
  "the email, with another number": [
    { email: "both@example.com", phone: "555 555 0103" },
    { email: "both@example.com", phone: "555 555 0104" },
  ],
  "the number, with another email": [{ phone: "555 555 0105" }, { phone: "(555) 555 0105" }],
  "the number alone": [{ phone: "555 555 0106" }, { email: undefined, phone: "5555550106" }],
};

for (const [name, [first, second]] of Object.entries(ONE)) {
  test(`${name} is the same person: 409 with the earlier push`, async () => {
    const { id } = await partner.push(first);
    const again = refused(await partner.post(PUSH, somebody(second)), 409);
    assert.deepEqual([again["existing_id"], again["status"]], [id, "pending"]);
    ok(await decide(acme, id, "accept"));
    const later = refused(await partner.post(PUSH, somebody(second)), 409);
    assert.deepEqual([later["existing_id"], later["status"]], [id, "accepted"]);
    assert.equal(await movesLogged(api.sql, id), 2);
  });
}

/** Pairs of pushes that describe different people. */
const TWO: Readonly<Record<string, readonly [first: Body, second: Body]>> = {
  "an email and a number": [
    { email: "apart@example.com" },
    { email: undefined, phone: "555 555 0111" },
  ],
  "the same name": [{ name: "Namesake" }, { name: "Namesake" }],
  "two words that are no addresses": [
    { email: "n/a", phone: "555 555 0112" },
    { email: "n/a", phone: "555 555 0113" },
  ],
  "two words that are no numbers": [{ phone: "unknown" }, { phone: "unknown" }],
  "blanks for numbers": [{ phone: " " }, { phone: " " }],
  "the same digits in another country": [
    { email: undefined, phone: "+44 20 7946 0958" },
    { email: undefined, phone: "+1 20 7946 0958" },
  ],
};

for (const [name, [first, second]] of Object.entries(TWO)) {
  test(`${name}: two persons, both are buffered`, async () => {
    const one = await partner.push(first);
    const two = await partner.push(second);
    assert.notEqual(one.id, two.id);
    assert.deepEqual([one.status, two.status], ["pending", "pending"]);
  });
}

const ENDINGS: Readonly<Record<string, readonly DecisionWord[]>> = {
  rejected: ["reject"],
  imported: ["accept", "import"],
};

for (const [state, words] of Object.entries(ENDINGS)) {
  test(`a person whose push was ${state} can be pushed again`, async () => {
    const fields = { email: `${state}@example.com` };
    const { id } = await partner.push(fields);
    for (const word of words) ok(await decide(acme, id, word));
    const again = await partner.push(fields);
    assert.notEqual(again.id, id);
    assert.equal(again.status, "pending");
    refused(await partner.post(PUSH, somebody(fields)), 409);
  });
}

/** Returns a partner's pending leads. */
async function pendingOf(partner_id: string): Promise<readonly Body[]> {
  return ok(await acme.get(REVIEW, { partner_id, status: "pending" })).body as Body[];
}

test("of 20 concurrent pushes of one person one is buffered, in whatever spelling", async () => {
  const hasty = await partnerOf(acme);
  const spellings = [
    "Rush@example.com",
    "rush@Example.com",
    " rush@example.com ",
    "RUSH@EXAMPLE.COM",
  ];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      hasty.post(PUSH, somebody({ email: spellings[at % spellings.length] })),
    ),
  );
  const made = answers.filter(({ status }) => status === 200);
  assert.equal(made.length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assert.equal(refused(answer, 409)["existing_id"], made[0]?.body.id);
  }
  assert.equal((await pendingOf(hasty.partner_id)).length, 1);
});

test("concurrent pushes that share an email with one and a number with another leave one open push each", async () => {
  const hasty = await partnerOf(acme);
  const email = "shared@example.com";
  const other = "other@example.com";
  const phone = "555 555 0121";
  const another = "555 555 0122";
  const bodies = [
    { email, phone },
    { email: undefined, phone: another },
    { email: other, phone: another },
    { email },
    { email: undefined, phone },
    { email: other },
  ].map((fields) => somebody(fields));
  const order = Array.from({ length: 24 }, (_, at) => bodies[(at * 5) % bodies.length]);
  const answers = await Promise.all(order.map((body) => hasty.post(PUSH, body)));
  assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  const open = await pendingOf(hasty.partner_id);
  assert.equal(open.length, answers.filter(({ status }) => status === 200).length);
  for (const name of ["email", "phone"]) {
    const values = open.map((one) => one[name]).filter((value) => value !== null);
    assert.equal(new Set(values).size, values.length, `${name}: ${values.join()}`);
  }
});

test("another partner's push of the person does not count", async () => {
  const other = await partnerOf(acme);
  const fields = { email: "wanted@example.com" };
  const one = await partner.push(fields);
  const two = await other.push(fields);
  assert.deepEqual([one.status, two.status], ["pending", "pending"]);
  const twice = refused(await other.post(PUSH, somebody(fields)), 409);
  assert.equal(twice["existing_id"], two.id);
});

test("of two earlier pushes that match a later one, the newest is named", async () => {
  const one = await partner.push({ email: "bridge@example.com" });
  const two = await partner.push({ email: undefined, phone: "555 555 0131" });
  const answer = await partner.post(
    PUSH,
    somebody({ email: "bridge@example.com", phone: "555 555 0131" }),
  );
  assert.equal(refused(answer, 409)["existing_id"], two.id);
  await importPushed(acme, two.id);
  const next = await partner.post(
    PUSH,
    somebody({ email: "bridge@example.com", phone: "555 555 0131" }),
  );
  assert.equal(refused(next, 409)["existing_id"], one.id);
});
