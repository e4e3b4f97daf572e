/** A person is recognized whatever characters the name, emails and numbers contain. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { matcherOf } from "../../src/privacy/person/index.ts";
import { ok, type Body } from "../api/samples.ts";
import { fileApi } from "../kit/file-api.ts";
import { occurrencesOf } from "./person-kit.ts";
import { eraseAll, report } from "./person-requests.ts";

const api = await fileApi();

const PERSONS = [
  { name: "Anne-Marie O'Neil-Smith", email: "anne-marie.o'neil@sub-domain.example.org" },
  { name: "C++ (Jr.) [x] {y} a|b ^$*?", email: "a+b/c=d?e@example.org" },
  { name: "100% under_score \\ back", email: "under_score%100@example.org" },
  { name: "Çağla Öztürk-Iğdır", email: "çağla@örnek.example" },
  { name: '"Quoted" Person 漢字', email: "quoted@example.org" },
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
