/** A person is recognized whatever characters the name, emails and numbers contain. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import sql from "sql-template-tag";
import { run } from "../../src/platform/database/index.ts";
import { matcherOf, REPLACEMENT } from "../../src/privacy/person/terms.ts";
import { ok, type Body } from "../api/samples.ts";
import { sharedApi } from "../kit/file-api.ts";
import { occurrencesOf } from "./person-kit.ts";
import { eraseAll, report } from "./person-requests.ts";

const api = await sharedApi();

const PERSONS = [
  { name: "Anne-Marie O'Neil-Smith", email: "anne-marie.o'neil@sub-domain.example.org" },
  { name: "C++ (Jr.) [x] {y} a|b ^$*?", email: "a+b/c=d?e@example.org" },
  { name: "100% under_score \\ back", email: "under_score%100@example.org" },
  { name: "Çağla Öztürk-Iğdır", email: "çağla@örnek.example" },
  { name: '"Quoted" Person 漢字', email: "quoted@example.org" },
  { name: "İbrahim Yılmaz", email: "ibrahim@example.org" },
  { name: "ΓΙΩΡΓΟΣ ΠΑΠΑΣ", email: "giorgos@example.org" },
  { name: "Straße Groß", email: "strasse@example.org" },
] as const;

const asJson = (value: string): string => JSON.stringify(value).slice(1, -1);

const idsIn = (found: Body, section: string): readonly unknown[] =>
  (found[section] as readonly Body[]).map(({ id }) => id);

for (const { name, email } of PERSONS) {
  test(`${name} is found and erased`, async () => {
    const client = await api.tenant();
    const lead = ok(
      await client.post("/crm/leads", { name, email, comments: `${name} <${email}>` }),
    ).body;
    // The note has the accents as separate characters.
    const written = name.normalize("NFD").replace(" ", " \n ");
    const noted = { name: "Noted", description: `Met ${written} yesterday.` };
    const account = ok(await client.post("/crm/accounts", noted)).body;
    const found = await report(client, { email });
    assert.deepEqual(idsIn(found, "records"), [lead._id]);
    assert.deepEqual(idsIn(found, "mentions"), [account._id]);
    const { status, body, text } = await eraseAll(client, found, [account._id]);
    assert.equal(status, 200, text);
    assert.equal(body.state, "done");
    const { description } = ok(await client.get(`/crm/accounts/${account._id}`)).body;
    assert.equal(description, "Met [erased] yesterday.");
    const spellings = [name, email, asJson(name)].map((one) => one.replaceAll(/[%_\\]/g, "\\$&"));
    assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, spellings), []);
  });
}

test("a name is found however its accents are encoded, but not as the start of a longer word", () => {
  const composed = { names: ["José Núñez"], emails: ["josé@example.org"], phones: [] };
  const decomposed = "Jose\u0301 Nu\u0301n\u0303ez <jose\u0301@example.org>";
  assert.equal(matcherOf(composed).replaced(decomposed), "[erased] <[erased]>");
  const other = matcherOf({ names: ["राम कुमार", "Jose Nune"], emails: [], phones: [] });
  for (const text of ["राम कुमारी", "Jose Nune\u0301"]) assert.equal(other.replaced(text), text);
});

test("an email and a number are removed from all members that are not ids", async () => {
  const client = await api.tenant();
  const email = "jane.external@example.org";
  const searched = { email, phone: "+1 415 555 0187" };
  const other = ok(await client.post("/crm/accounts", { name: "Other" })).body;
  const clear = { name: "Jane's", ...searched, external_id: email };
  const account = ok(await client.post("/crm/accounts", clear)).body;
  const sold = { name: "Deal", account_id: other._id, external_id: `order ${email}` };
  const deal = ok(await client.post("/crm/opportunities", sold)).body;
  const nested = {
    customer_id: email,
    user_name: email,
    number: 14155550187,
    numbers: [14155550187, 5],
    [email]: { id: email },
  };
  const task = ok(await client.post("/crm/tasks", { name: "Call", action_data: nested })).body;
  const found = await report(client, searched);
  const ids = [account, deal, task].map(({ _id }) => _id as string);
  assert.deepEqual(new Set(idsIn(found, "records")), new Set(ids));
  ok(await eraseAll(client, found));
  const read = async (path: string) => ok(await client.get(path)).body;
  assert.equal((await read(`/crm/accounts/${account._id}`)).external_id, null);
  const left = await read(`/crm/deals/${deal._id}`);
  assert.deepEqual([left.external_id, left.account_id], [null, other._id]);
  const { tasks } = await read("/crm/tasks");
  const gone = REPLACEMENT;
  const id = { id: REPLACEMENT };
  const cleared = {
    customer_id: gone,
    user_name: gone,
    number: null,
    numbers: [null, 5],
    [gone]: id,
  };
  assert.deepEqual(tasks[0].action_data, cleared);
  const again = await report(client, searched);
  assert.deepEqual([again["records"], again["mentions"]], [[], []]);
});

test("an erasure keeps an amount that has the digits of the person's number", async () => {
  const client = await api.tenant();
  const phone = "+1 415 555 0188";
  ok(await client.post("/crm/leads", { name: "Jim Example", phone }));
  const products = [{ name: `Sold to ${phone}`, unit_amount: 4155550188, unit_count: 1 }];
  const { _id: account_id } = ok(await client.post("/crm/accounts", { name: "Other" })).body;
  const sold = { name: "Deal", account_id, product_dict_list: products };
  const { _id } = ok(await client.post("/crm/opportunities", sold)).body;
  ok(await eraseAll(client, await report(client, { phone })));
  const { product_dict_list: left } = ok(await client.get(`/crm/deals/${_id}`)).body;
  assert.partialDeepStrictEqual(left, [{ name: "Sold to [erased]", unit_amount: 4155550188 }]);
});

test("any name, email and number is replaced where it is mentioned", () => {
  const word = fc.string({ unit: "grapheme", minLength: 1 }).filter((one) => !/\s|\[|\]/.test(one));
  const name = fc.tuple(word, word).map((words) => words.join(" "));
  const phone = fc.stringMatching(/^1[2-9]\d{2}[2-9]\d{6}$/);
  fc.assert(
    fc.property(name, word, phone, (full, local, number) => {
      const email = `${local}@example.org`.toLowerCase();
      const terms = { names: [full], emails: [email], phones: [number] };
      const text = `( ${full} ; ${email} ; +${number} )`;
      const matcher = matcherOf(terms);
      assert.deepEqual(matcher.kindsIn(text), new Set(["email", "phone", "name"]));
      const left = matcher.replaced(text);
      for (const one of [full, email, number]) assert.ok(!left.includes(one), left);
    }),
  );
});

/** All characters of Unicode that have upper and lower case. */
const CASED = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
  (char) => /\p{Changes_When_Casemapped}/u.test(char),
);
const ALL_CASED = CASED.join("");
const WORD_LETTERS = 20;

/** Returns names that contain all of these characters, with other spellings in which only the case differs. */
function* spelledNames(): Generator<{ readonly name: string; readonly spellings: string[] }> {
  for (let at = 0; at < CASED.length; at += WORD_LETTERS) {
    const letters = CASED.slice(at, at + WORD_LETTERS);
    const variants = letters.map((char) => [...(ALL_CASED.match(new RegExp(char, "giu")) ?? [])]);
    const most = Math.max(...variants.map(({ length }) => length));
    const spellings = Array.from({ length: most }, (_, nth) =>
      variants.map((own) => own[nth % own.length]).join(""),
    );
    yield {
      name: `Ks ${letters.join("")}`,
      spellings: ["KS", "ks", "\u212a\u017f"].flatMap((first) =>
        spellings.map((last) => `${first}\n${last}`),
      ),
    };
  }
}

/** Returns the texts that the database does not find. All texts must contain a term of the matcher. */
async function leftOut(matcher: ReturnType<typeof matcherOf>, texts: readonly string[]) {
  for (const text of texts) assert.ok(matcher.kindsIn(text).size > 0, text);
  const rows = await run<{ text: string }[]>(api.sql)`
    select text from unnest(${texts}::text[]) as given(text)
     where not ${matcher.mayMention("text") ?? sql`false`}`;
  return rows.map(({ text }) => text);
}

test("the database finds every spelling of a name that is replaced, whatever its letters", async () => {
  for (const { name, spellings } of spelledNames()) {
    const matcher = matcherOf({ names: [name], emails: [], phones: [] });
    assert.deepEqual(await leftOut(matcher, [...spellings, JSON.stringify(spellings)]), [], name);
  }
});

test("the database finds a number in every form that is replaced", async () => {
  const matcher = matcherOf({ names: [], emails: [], phones: ["14155550123", "ext. 12-34 (Ada)"] });
  const forms = [
    "(415) 555-0123",
    "+1 415.555 01 2 3",
    "4 1 5 5 5 5 0 1 - 2.-.3",
    "Ext. 12-34 (ADA)",
  ];
  assert.deepEqual(await leftOut(matcher, forms), []);
});

test("many terms are found in one statement", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `Ada Number${at}`);
  const matcher = matcherOf({ names, emails: [], phones: [] });
  assert.deepEqual(
    await leftOut(
      matcher,
      names.map((name) => `( ${name} )`),
    ),
    [],
  );
});
