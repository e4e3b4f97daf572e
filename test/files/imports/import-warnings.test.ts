/** Values for which an import adds a warning instead of rejecting or ignoring them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { otherCurrency } from "../../../src/files/columns/currencies.ts";
import { fileApi } from "../../kit/file-api.ts";
import { assertCounts, importFile, recordsOf, type Import } from "./sending.ts";

/** The time in every test, so that no year begins during one. */
const NOW_ms = Date.UTC(2026, 5, 15);
const api = await fileApi({ clock: { now_ms: () => NOW_ms } });
const noticesOf = ({ mapping }: Import) =>
  (mapping as { readonly notices: readonly string[] }).notices;

const CURRENCIES: readonly (readonly [text: string, own: string, other: string | undefined])[] = [
  ["5", "USD", undefined],
  ["$5", "USD", undefined],
  ["$5", "CAD", undefined],
  ["USD 5", "USD", undefined],
  ["EUR", "EUR", undefined],
  ["5 €", "USD", "€"],
  ["5EUR", "USD", "EUR"],
  ["USD 5", "EUR", "USD"],
  ["£1,000", "EUR", "£"],
  ["XYZ 5", "USD", undefined],
  ["INR", "USD", "INR"],
  ["₹500", "INR", undefined],
];
for (const [text, own, other] of CURRENCIES) {
  test(`"${text}" in ${own} names ${other ?? "no other currency"}`, () =>
    assert.equal(otherCurrency(text, own), other));
}

test("amounts in a currency other than the tenant's are imported with a warning", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const text =
    "name,account,Amount,Deal Currency\nA,Globex,5 €,\nB,Globex,6,GBP\nC,Globex,$7,USD\nD,Globex,,EUR\n";
  const done = await importFile(acme, "deals", text);
  assertCounts(done, { rows: 4, created: 4 });
  assert.deepEqual(done["warnings"], { other_currency: 2 });
  const words = done["words"] as readonly { readonly word: string }[];
  assert.deepEqual(words.map(({ word }) => word).toSorted(), ["GBP", "€"]);
  const values = (await recordsOf(acme, "/crm/deals")).map(({ value_of_sale }) => value_of_sale);
  assert.deepEqual(values, [null, 7, 6, 5]);
  const strict = await importFile(acme, "deals", text, { strict: true, dry_run: true });
  assertCounts(strict, { rows: 4, created: 2, refused: 2 });
});

test("an email that an earlier line has, too, is imported with a warning, before and after", async () => {
  const acme = await api.tenant();
  const text = "Contact,email\nAnn,ann@example.com\nBo,jose@example\nAnn,ANN@example.com\n";
  for (const dry_run of [true, false]) {
    const done = await importFile(acme, "leads", text, { dry_run });
    assertCounts(done, { rows: 3, created: 3 });
    assert.deepEqual(done["warnings"], { doubtful_email: 1, repeated_email: 1 });
    const words = done["words"] as readonly { readonly word: string }[];
    assert.deepEqual(words.map(({ word }) => word).toSorted(), [
      "ANN@example.com (line 2)",
      "jose@example",
    ]);
  }
  const names = (await recordsOf(acme, "/crm/leads")).map(({ name }) => String(name));
  assert.deepEqual(new Set(names), new Set(["Ann", "Bo"]));
  assert.equal(names.length, 3);
});

const BIRTHS = "name,birth_year,birth_month,birth_day,email\n";

for (const type of ["leads", "contacts"]) {
  test(`${type} with an impossible birth date are imported with a warning`, async () => {
    const acme = await api.tenant();
    const next = new Date(NOW_ms).getUTCFullYear() + 1;
    const rows = `Ann,1980,2,31,\nBo,${next},1,1,\nCy,1990,5,6,\nDi,1980,2,31,${"x".repeat(300)}\n`;
    const done = await importFile(acme, type, BIRTHS + rows);
    assertCounts(done, { rows: 4, created: 3, refused: 1 });
    assert.deepEqual(done["warnings"], { impossible_date: 2 });
    const people = await recordsOf(acme, `/crm/${type}`);
    assert.deepEqual(
      people.map(({ birth_year, birth_day, comments }) => [birth_year, birth_day, comments]),
      [
        [1990, 6, null],
        [null, null, `birth_date in the file: ${next}-1-1`],
        [null, null, "birth_date in the file: 1980-2-31"],
      ],
    );
    const strict = await importFile(acme, type, BIRTHS + rows, { strict: true, dry_run: true });
    assertCounts(strict, { rows: 4, created: 1, refused: 3 });
  });
}

test("a column that a template overrides is named", async () => {
  const acme = await api.tenant();
  const text = "name,Lead Source,Notes\nAnn,Google,Hi\n";
  const done = await importFile(acme, "leads", text, { set: { source: "Facebook" } });
  assert.deepEqual(noticesOf(done), ['The option set overrides "Lead Source" for source']);
  const [ann] = await recordsOf(acme, "/crm/leads");
  assert.equal(ann?.["source"], "Facebook");
  const parts = { set: { name: "{name} {Notes}", comments: "x" } };
  assert.deepEqual(noticesOf(await importFile(acme, "leads", text, parts)), []);
});
