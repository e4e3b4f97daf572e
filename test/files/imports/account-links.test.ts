/** Rows that refer to accounts: matched by id, name or website domain, or created on request. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { missingAccounts } from "../../../src/files/rows/missing-accounts.ts";
import type { RowInput } from "../../../src/files/rows/row-input.ts";
import type { ReferenceName } from "../../../src/files/rows/row-references.ts";
import { companyDomain, websiteDomain } from "../../../src/records/contact-details/website.ts";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { assertCounts, importFile, recordsOf } from "./sending.ts";
import { runsOf } from "../../kit/long.ts";

const api = await sharedApi();

async function tenantWith(...accounts: readonly object[]): Promise<Client> {
  const acme = await api.tenant();
  for (const account of accounts) await acme.post("/crm/accounts", account);
  return acme;
}

const linksOf = async (client: Client) =>
  Object.fromEntries(
    (await recordsOf(client, "/crm/deals")).map(({ name, account_name }) => [name, account_name]),
  );

const HEAD = "Deal Name,Associated Company Domain\n";

test("accounts are matched by the domain of their website, however either is written", async () => {
  const acme = await tenantWith(
    { name: "Globex", website: "https://www.Globex.example/en?x=1" },
    { name: "Initech", website: "initech.example" },
    { name: "Hooli", external_id: "H-1" },
  );
  const rows = [
    "One,globex.example",
    "Two,HTTP://WWW.GLOBEX.EXAMPLE",
    "Three,https://initech.example/about",
    "Four,shop.initech.example",
    "Five,H-1",
  ];
  const done = await importFile(acme, "deals", `${HEAD}${rows.join("\n")}\n`);
  assertCounts(done, { rows: 5, created: 4, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /"shop.initech.example" was not found/);
  assert.deepEqual(await linksOf(acme), {
    One: "Globex",
    Two: "Globex",
    Three: "Initech",
    Five: "Hooli",
  });
  assert.deepEqual(done["references"], {
    account_id: { matched: 4, created: 0, not_found: 1, ambiguous: 0 },
  });
});

test("the domain of a mail provider or a social network matches no account", async () => {
  const acme = await tenantWith(
    { name: "Ann", website: "gmail.com" },
    { name: "Bo", website: "https://facebook.com/bo" },
  );
  const done = await importFile(acme, "deals", `${HEAD}One,gmail.com\nTwo,facebook.com\n`);
  assertCounts(done, { rows: 2, refused: 2 });
});

test("a domain of two accounts is ambiguous unless the row names one in another way", async () => {
  const acme = await tenantWith(
    { name: "Globex", website: "globex.example" },
    { name: "Globex Labs", website: "www.globex.example" },
  );
  const text = "Deal Name,Company Domain,Company\nOne,globex.example,\nTwo,globex.example,Globex\n";
  const done = await importFile(acme, "deals", text);
  assert.equal(done.rejects[0]?.reason, 'account_id: several records match "globex.example"');
  assert.deepEqual(await linksOf(acme), { Two: "Globex" });
  assert.deepEqual(done["references"], {
    account_id: { matched: 1, created: 0, not_found: 0, ambiguous: 1 },
  });
});

test("the accounts of another tenant are not found by their domain", async () => {
  await tenantWith({ name: "Globex", website: "globex.example" });
  const rival = await api.tenant();
  const done = await importFile(rival, "deals", `${HEAD}One,globex.example\n`);
  assertCounts(done, { rows: 1, refused: 1 });
});

const COMPANIES =
  "Deal Name,Company ID,Company,Company Domain\n" +
  "One,77,Globex,globex.example\n" +
  "Two,,Globex,\n" +
  "Three,,,globex.example\n" +
  "Four,,,initech.example\n" +
  "Five,78,,\n" +
  "Six,,Hooli,\n";

test("missing accounts are created once, and found by the next import", async () => {
  const acme = await tenantWith({ name: "Hooli" });
  const options = { create_accounts: true };
  const expected = { account_id: { matched: 3, created: 2, not_found: 1, ambiguous: 0 } };
  const tried = await importFile(acme, "deals", COMPANIES, { ...options, dry_run: true });
  assert.deepEqual(tried["references"], expected);
  assert.equal((await recordsOf(acme, "/crm/accounts")).length, 1);
  const done = await importFile(acme, "deals", COMPANIES, options);
  assert.deepEqual(done["references"], expected);
  assertCounts(done, { rows: 6, created: 5, refused: 1 });
  const accounts = await recordsOf(acme, "/crm/accounts");
  assert.deepEqual(
    new Set(accounts.map(({ name, website, external_id }) => [name, website, external_id].join())),
    new Set(["Globex,globex.example,77", "Hooli,,", "initech.example,initech.example,"]),
  );
  const again = await importFile(
    acme,
    "deals",
    "Name,Company\nSeven,77\nEight,globex.example\n",
    options,
  );
  assert.deepEqual(again["references"], {
    account_id: { matched: 2, created: 0, not_found: 0, ambiguous: 0 },
  });
});

const SHARING = [
  [
    "a domain that the first row lacks",
    ["One,,Acme,", "Two,,Acme,acme.example", "Three,,,acme.example"],
  ],
  ["an id that the first row lacks", ["One,,Acme,", "Two,7,Acme,", "Three,7,,"]],
  ["an id on its own", ["One,7,,", "Two,7,Acme,"]],
  [
    "a name that the first row lacks",
    ["One,,,acme.example", "Two,,Acme,acme.example", "Three,,Acme,"],
  ],
  [
    "a row that joins two others",
    ["One,,Acme,", "Two,7,,acme.example", "Three,,Acme,acme.example"],
  ],
] as const;
const ordersOf = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((one) =>
        ordersOf(list.filter((other) => other !== one)).map((others) => [one, ...others]),
      );

for (const [what, rows] of SHARING) {
  test(`rows share one created account by ${what}, in any order`, async () => {
    for (const order of ordersOf(rows)) {
      const acme = await api.tenant();
      const file = `Deal Name,Company ID,Company,Company Domain\n${order.join("\n")}\n`;
      const done = await importFile(acme, "deals", file, { create_accounts: true });
      assertCounts(done, { rows: rows.length, created: rows.length });
      assert.deepEqual(done["references"], {
        account_id: { matched: rows.length - 1, created: 1, not_found: 0, ambiguous: 0 },
      });
    }
  });
}

test("a row shares the created account of its domain, even if it has another name", async () => {
  const acme = await api.tenant();
  const rows = ["One,Acme,", "Two,Acme,acme.example", "Three,Acme Corp,acme.example"];
  const file = `Deal Name,Company,Company Domain\n${rows.join("\n")}\n`;
  const done = await importFile(acme, "deals", file, { create_accounts: true });
  assertCounts(done, { rows: 3, created: 3 });
  assert.deepEqual(await linksOf(acme), { One: "Acme", Two: "Acme", Three: "Acme" });
});

test("an account that cannot be created does not prevent one that shares its domain", async () => {
  const acme = await api.tenant();
  const file = `Deal Name,Company,Company Domain\nOne,${"x".repeat(600)},acme.example\nTwo,Acme,acme.example\n`;
  const done = await importFile(acme, "deals", file, { create_accounts: true });
  assertCounts(done, { rows: 2, created: 2 });
  assert.deepEqual(await linksOf(acme), { One: "Acme", Two: "Acme" });
});

const part = (...texts: readonly string[]) => fc.constantFrom("", ...texts);

test("every row with a name or domain finds exactly one of the accounts that are created for all rows", () => {
  const row = fc.tuple(part("1", "2", "3"), part("A", "B", "C"), part("a.example", "b.example"));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (table) => {
      const rows = table.map(([id, name, domain], line): RowInput => {
        const given = { id, name, domain };
        const names = Object.entries(given).flatMap(([kind, text]) =>
          text === "" ? [] : [{ to: "account", text, heading: kind, kind } as ReferenceName],
        );
        const references = [{ field: "account_id", names, byDefault: false }];
        return { line, raw: "", body: {}, references, onlyNew: [], partialLists: [], warnings: [] };
      });
      const creating = { resolve: () => ({ none: true }) as const, isValid: () => true };
      const accounts = missingAccounts(rows, creating, new Map());
      const values = accounts.flatMap((account) => [...new Set(Object.values(account))]);
      assert.equal(new Set(values).size, values.length, "the accounts share a value");
      for (const cells of table) {
        const isNamed = cells[1] !== "" || cells[2] !== "";
        assert.ok(!isNamed || cells.some((text) => values.includes(text)), cells.join());
      }
    }),
    { numRuns: runsOf(2000) },
  );
});

test("an id that contains a separator links to its own account, not to that of its first part", async () => {
  const acme = await tenantWith(
    { name: "Ten", external_id: "10" },
    { name: "Right", external_id: "10|2045" },
  );
  const text = "Name,Account ID\nOne,10|2045\nTwo,10|7\n";
  assertCounts(await importFile(acme, "deals", text), { rows: 2, created: 2 });
  assert.deepEqual(await linksOf(acme), { One: "Right", Two: "Ten" });
});

test("a default account that does not exist is not created", async () => {
  const acme = await api.tenant();
  const options = { create_accounts: true, default_account: "Acme typo" };
  const done = await importFile(acme, "deals", "Name,Company\nOne,\nTwo,Globex\n", options);
  assertCounts(done, { rows: 2, created: 1, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /"Acme typo" was not found/);
  const names = (await recordsOf(acme, "/crm/accounts")).map(({ name }) => name);
  assert.deepEqual(names, ["Globex"]);
});

const TAGS = "a,b,c,d,e,f,g,h,i,j,k";
const PEOPLE =
  "Key,Name,Tags,Account Name\n" +
  `1,Wrong,"${TAGS}",Ghost\n` +
  "2,Right,a,Globex\n" +
  `3,Wrong,"${TAGS}",Initech\n` +
  "4,Right,a,Initech\n" +
  "5,Exists,a,Phantom\n" +
  "5,Exists,a,Phantom\n" +
  "6,Right,a,Hooli\n";

test("no account is created for rows that are rejected, neither by checks nor by their key", async () => {
  const acme = await tenantWith({ name: "Hooli" });
  await acme.post("/crm/contacts", { name: "Old", external_id: "5" });
  const options = { mode: "create", external_id: "Key", create_accounts: true };
  const expected = { account_id: { matched: 2, created: 2, not_found: 3, ambiguous: 0 } };
  for (const dry_run of [true, false]) {
    const done = await importFile(acme, "contacts", PEOPLE, { ...options, dry_run });
    assertCounts(done, { rows: 7, created: 3, refused: 4 });
    assert.deepEqual(done["references"], expected);
    assert.deepEqual(
      done.rejects.map(({ line, reason }) => [line, reason.split(":")[0]]),
      [
        [2, "tags"],
        [4, "tags"],
        [6, "existing_id"],
        [7, "existing_id"],
      ],
    );
  }
  const names = (await recordsOf(acme, "/crm/accounts")).map(({ name }) => name);
  assert.deepEqual(new Set(names), new Set(["Globex", "Hooli", "Initech"]));
  assert.equal(names.length, 3);
});

test("an update that finds no record creates no account", async () => {
  const acme = await api.tenant();
  const options = { mode: "update", external_id: "Key", create_accounts: true };
  const done = await importFile(acme, "deals", "Key,Company\n1,Ghost\n", options);
  assertCounts(done, { rows: 1, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /^unknown_id: /);
  assert.deepEqual(await recordsOf(acme, "/crm/accounts"), []);
});

test("without the option a missing account rejects the deal and leaves the contact without one", async () => {
  const acme = await api.tenant();
  assertCounts(await importFile(acme, "deals", "Name,Company\nOne,Globex\n"), {
    rows: 1,
    refused: 1,
  });
  const people = "Name,Email,Account Name\nAnn,ann@example.com,Globex\n";
  await importFile(acme, "contacts", people);
  const [ann] = await recordsOf(acme, "/crm/contacts");
  assert.deepEqual([ann?.["account_id"], ann?.["employer_name"]], [null, "Globex"]);
  await importFile(acme, "contacts", people, { create_accounts: true });
  const [linked] = await recordsOf(acme, "/crm/contacts");
  assert.ok(typeof linked?.["account_id"] === "string");
});

test("rows that the file marks as deleted are skipped and counted, and are not rejected", async () => {
  const acme = await api.tenant();
  const text = "Name,IsDeleted\nAnn,false\nBo,true\nCy,\n";
  const done = await importFile(acme, "leads", text, { strict: true });
  assertCounts(done, { rows: 3, created: 2 });
  assert.equal(done["skipped"], 1);
  assert.deepEqual(done.rejects, []);
});

test("a file of people without email and phone is reported", async () => {
  const acme = await api.tenant();
  const saysSo = async (type: string, head: string) =>
    ((await importFile(acme, type, `${head}\nAnn,1\n`))["mapping"] as Record<string, unknown>)[
      "no_email_or_phone"
    ];
  assert.equal(await saysSo("leads", "Name,Reach"), true);
  assert.equal(await saysSo("leads", "Name,Mobile"), false);
  assert.equal(await saysSo("accounts", "Name,Reach"), false);
});

test("the database reads the domain of a website as the service does", async () => {
  const websites = [
    ["https://www.Globex.example/en", "globex.example"],
    ["WWW.GLOBEX.EXAMPLE", "globex.example"],
    ["globex.co.example:8080", "globex.co.example"],
    ["https://globex.example.", "globex.example"],
    ["http://globex.example?x=1", "globex.example"],
    ["  globex.example#top", "globex.example"],
    ["ftp://files.globex.example/", "files.globex.example"],
    ["www2.globex.example", "www2.globex.example"],
    ["bücher.example", "bücher.example"],
    ["GLÖBEX.example", "glÖbex.example"],
    ["ann@globex.example", undefined],
    ["Dr. Globex", undefined],
    ["Globex Inc.", undefined],
    ["1.5", undefined],
    ["10.0.0.1", undefined],
    ["", undefined],
    ["n/a", undefined],
    ["http://", undefined],
    [`https://globex.example/${"a".repeat(500)}`, "globex.example"],
    ["a".repeat(500), undefined],
  ] as const;
  const texts = websites.map(([text]) => text);
  const rows = await api.sql`
    select website_domain(text) as domain from unnest(${texts}::text[]) with ordinality as g(text, at)
     order by at`;
  for (const [at, [text, domain]] of websites.entries()) {
    assert.equal(websiteDomain(text), domain, text);
    assert.equal(rows[at]?.["domain"] ?? undefined, domain, text);
  }
  assert.equal(companyDomain("globex.example"), "globex.example");
});
