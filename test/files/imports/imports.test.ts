/** Imports over HTTP: docs/files.md. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { assertCounts, importFile, prepare, recordsOf, send, type Import } from "./sending.ts";

const api = await sharedApi();

test("a CSV file becomes records, and its import shows how it was read", async () => {
  const acme = await api.tenant();
  const text = "First Name,Last Name,E-mail 1,phone1,Company,Lead Source,Shoe size\n";
  const rows = "Ann,Lee,ann@example.com,(415) 555-0100,Acme Inc,google,38\n";
  const done = await importFile(acme, "leads", text + rows, { file_name: "people.csv" });
  assertCounts(done, { rows: 1, created: 1 });
  assert.equal(done.state, "finished");
  assert.deepEqual(done["file"], {
    format: "csv",
    encoding: "utf-8",
    delimiter: ",",
    headings: text.trim().split(","),
  });
  const mapping = done["mapping"] as Record<string, unknown>;
  assert.deepEqual(mapping["unmatched"], ["Shoe size"]);
  const [lead] = await recordsOf(acme, "/crm/leads");
  assert.equal(lead?.["name"], "Ann Lee");
  assert.equal(lead?.["email"], "ann@example.com");
  assert.equal(lead?.["employer_name"], "Acme Inc");
  assert.equal(lead?.["source"], "Google");
});

test("NDJSON lines become records", async () => {
  const acme = await api.tenant();
  const text = '{"name":"Ann","tags":["a","b"]}\n{"name":"Bo","email":"bo@example.com"}\n';
  const done = await importFile(acme, "lead", text);
  assertCounts(done, { rows: 2, created: 2 });
  const names = (await recordsOf(acme, "/crm/leads")).map(({ name }) => name);
  assert.deepEqual(names, ["Bo", "Ann"]);
});

test("templates, value maps and mapped headers supply what the file lacks", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const text =
    "account,product,Phase,Worth\nGlobex,Anvil,Won,100\nGlobex,Rope,Lost,7\nGlobex,,Won,1\n";
  const done = await importFile(acme, "deals", text, {
    set: { name: "{account} – {product}" },
    map: { Phase: "stage", Worth: "value_of_sale" },
    values: { stage: { Won: "closed_won", Lost: "closed_lost" } },
  });
  assertCounts(done, { rows: 3, created: 3 });
  const deals = await recordsOf(acme, "/crm/deals");
  assert.deepEqual(
    deals.map(({ name, stage, value_of_sale, account_name }) => [
      name,
      stage,
      value_of_sale,
      account_name,
    ]),
    [
      ["Globex", "closed_won", 1, "Globex"],
      ["Globex – Rope", "closed_lost", 7, "Globex"],
      ["Globex – Anvil", "closed_won", 100, "Globex"],
    ],
  );
});

test("references are resolved by id, external id, exact name and email", async () => {
  const acme = await api.tenant();
  const { body: account } = await acme.post("/crm/accounts", {
    name: "Globex",
    external_id: "G-1",
  });
  const { body: contact } = await acme.post("/crm/contacts", {
    name: "Ann Lee",
    email: "Ann@example.com",
  });
  const text =
    `name,account_id,contact_id\nBy id,${account._id},\nBy key,G-1,\nBy name,Globex,\n` +
    `By address,,ANN@EXAMPLE.COM\nBy person,,Ann Lee\nBy nothing,Nobody,\nGlobe,Glob,\n`;
  const done = await importFile(acme, "deals", text);
  assertCounts(done, { rows: 7, created: 5, refused: 2 });
  const deals = await recordsOf(acme, "/crm/deals");
  const named = Object.fromEntries(
    deals.map(({ name, account_id, contact_id }) => [name, account_id ?? contact_id]),
  );
  assert.deepEqual(named, {
    "By id": account._id,
    "By key": account._id,
    "By name": account._id,
    "By address": contact._id,
    "By person": contact._id,
  });
  assert.deepEqual(
    done.rejects.map(({ line, reason }) => [line, reason]),
    [
      [7, 'account_id: "Nobody" was not found'],
      [8, 'account_id: "Glob" was not found'],
    ],
  );
});

test("a name that several records share rejects the row that needs it", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Twin" });
  await acme.post("/crm/accounts", { name: "Twin" });
  const done = await importFile(acme, "deals", "name,account\nOne,Twin\n");
  assertCounts(done, { rows: 1, refused: 1 });
  assert.equal(done.rejects[0]?.reason, 'account_id: several records match "Twin"');
});

test("orders name their deal by its name", async () => {
  const acme = await api.tenant();
  const { body: account } = await acme.post("/crm/accounts", { name: "Globex" });
  const { body: deal } = await acme.post("/crm/opportunities", {
    name: "Big one",
    account_id: account._id,
  });
  await importFile(acme, "orders", "name,account,opportunity_id\nFirst,Globex,Big one\n");
  const [order] = await recordsOf(acme, "/crm/orders");
  assert.equal(order?.["opportunity_id"], deal._id);
  assert.match(String(order?.["order_num"]), /^SO-\d+$/);
});

test("the default account, by name, applies to rows without one", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Walk-in" });
  await acme.post("/crm/accounts", { name: "Globex" });
  const text = "name,account\nOne,\nTwo,Globex\n";
  const done = await importFile(acme, "deals", text, { default_account: "Walk-in" });
  assertCounts(done, { rows: 2, created: 2 });
  const deals = await recordsOf(acme, "/crm/deals");
  assert.deepEqual(
    deals.map(({ account_name }) => account_name),
    ["Globex", "Walk-in"],
  );
});

test("unknown values become the default and a note, and are counted", async () => {
  const acme = await api.tenant();
  const text = "name,source,status\nAnn,Carrier pigeon,Follow up\nBo,Google,open\n";
  const done = await importFile(acme, "leads", text);
  assertCounts(done, { rows: 2, created: 2 });
  assert.deepEqual(done["warnings"], { unknown_word: 2 });
  assert.equal(done["warned"], 1);
  const [, ann] = await recordsOf(acme, "/crm/leads");
  assert.equal(ann?.["source"], "Unknown");
  assert.equal(ann?.["status"], "assigned");
  assert.match(String(ann?.["comments"]), /Carrier pigeon/);
  assert.match(String(ann?.["comments"]), /Follow up/);
});

test("strict rejects rows with a warning, with its reason", async () => {
  const acme = await api.tenant();
  const text = "name,source\nAnn,Carrier pigeon\nBo,Google\n";
  const done = await importFile(acme, "leads", text, { strict: true });
  assertCounts(done, { rows: 2, created: 1, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /source: "Carrier pigeon" is not a known value/);
});

const dealFile = (stage: string, date: string) =>
  `Deal ID,name,account,Stage,Close Date\nD-1,One,Globex,${stage},${date}\n`;

test("a closed deal keeps the file's close date, in every import", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const told = { external_id: "Deal ID" };
  const close = async () => (await recordsOf(acme, "/crm/deals"))[0];
  assertCounts(await importFile(acme, "deals", dealFile("Closed Won", "2024-03-01"), told), {
    rows: 1,
    created: 1,
  });
  assert.equal((await close())?.["close_date"], Date.UTC(2024, 2, 1) / 1000);
  assertCounts(await importFile(acme, "deals", dealFile("Closed Won", "2024-03-01"), told), {
    rows: 1,
    unchanged: 1,
  });
  assertCounts(await importFile(acme, "deals", dealFile("Closed Lost", "2024-03-01"), told), {
    rows: 1,
    updated: 1,
  });
  assert.equal((await close())?.["close_date"], Date.UTC(2024, 2, 1) / 1000);
  await importFile(acme, "deals", dealFile("Closed Lost", "2024-04-01"), told);
  assert.equal((await close())?.["close_date"], Date.UTC(2024, 3, 1) / 1000);
  assert.equal((await close())?.["version"], 3);
});

test("creation timestamps are those of the import", async () => {
  const acme = await api.tenant();
  const before_s = Math.floor(Date.now() / 1000) - 1;
  await importFile(acme, "leads", "name,Created Date,created_ts\nAnn,2001-01-01,1\n");
  const [lead] = await recordsOf(acme, "/crm/leads");
  assert.ok((lead?.["created_ts"] as number) >= before_s);
  assert.equal(lead?.["version"], 1);
});

const LATIN = "Nom;E-mail;Commentaire\nZoë Müller;zoe@example.com;déjà vu\n".replace("Nom", "Name");
const FORMS: Readonly<Record<string, Buffer>> = {
  "UTF-8 with a byte order mark": Buffer.from(`\uFEFF${LATIN}`),
  "UTF-16 little endian": Buffer.from(`\uFEFF${LATIN}`, "utf16le"),
  "UTF-16 big endian": Buffer.from(`\uFEFF${LATIN}`, "utf16le").swap16(),
  "Windows-1252": Buffer.from(LATIN, "latin1"),
  "CR line ends": Buffer.from(LATIN.replaceAll("\n", "\r")),
  "CRLF line ends": Buffer.from(LATIN.replaceAll("\n", "\r\n")),
  tabs: Buffer.from(LATIN.replaceAll(";", "\t")),
  bars: Buffer.from(LATIN.replaceAll(";", "|")),
  commas: Buffer.from(LATIN.replaceAll(";", ",")),
};

for (const [form, bytes] of Object.entries(FORMS)) {
  test(`a file with ${form} is read`, async () => {
    const acme = await api.tenant();
    assertCounts(await importFile(acme, "leads", bytes), { rows: 1, created: 1 });
    const [lead] = await recordsOf(acme, "/crm/leads");
    assert.equal(lead?.["name"], "Zoë Müller");
    assert.equal(lead?.["email"], "zoe@example.com");
  });
}

test("a quoted line break is part of its cell, and lines are counted as the file has them", async () => {
  const acme = await api.tenant();
  const text = 'name,comments\nAnn,"one\ntwo"\nBo,"x",surplus\n';
  const done = await importFile(acme, "leads", text);
  assertCounts(done, { rows: 2, created: 1, refused: 1 });
  assert.equal(done.rejects[0]?.line, 4);
  const [ann] = await recordsOf(acme, "/crm/leads");
  assert.equal(ann?.["comments"], "one\ntwo");
});

test("an invalid row affects no other, and its file can be fixed and sent again", async () => {
  const acme = await api.tenant();
  const long = "x".repeat(255);
  const text = `name,email,Birth Year\nAnn,ann@example.com,1990\n,,1980\nBo,${long},\nCy,,1850\n`;
  const done = await importFile(acme, "leads", text);
  const answer = await acme.get(`/crm/imports/${done.id}/rejects`);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/);
  assert.match(answer.text, /^reject_line,reject_reason,name,email,Birth Year\r\n3,/);
  const mended = answer.text
    .replace(long, "bo@example.com")
    .replace(/^3,(.*),,,1980/m, "3,$1,Di,,1980");
  const again = await importFile(acme, "leads", mended.replace(",1850", ",1950"));
  assert.equal(again["refused"], 0, JSON.stringify(again.rejects));
  const names = (await recordsOf(acme, "/crm/leads")).map(({ name }) => name as string);
  assert.deepEqual(names.toSorted(), ["Ann", "Bo", "Cy", "Di"]);
});

test("with an external id a second run updates, and duplicates nothing", async () => {
  const acme = await api.tenant();
  const told = { external_id: "Key" };
  const first = await importFile(acme, "leads", "Key,name,phone\n1,Ann,\n2,Bo,\n2,Bob,\n", told);
  assertCounts(first, { rows: 3, created: 2, updated: 1 });
  const again = await importFile(acme, "leads", "Key,name\n1,Ann\n2,Bob\n", told);
  assertCounts(again, { rows: 2, unchanged: 2 });
  const third = await importFile(acme, "leads", "Key,name,title\n1,Ann,Dr\n3,Cy,\n", told);
  assertCounts(third, { rows: 2, created: 1, updated: 1 });
  const leads = await recordsOf(acme, "/crm/leads");
  assert.deepEqual(
    leads.map(({ name, title, version }) => [name, title, version]),
    [
      ["Cy", null, 1],
      ["Bob", null, 2],
      ["Ann", "Dr", 2],
    ],
  );
});

test("a generated name and the default account do not replace a record's values", async () => {
  const acme = await api.tenant();
  for (const name of ["Globex", "Walk-in"]) await acme.post("/crm/accounts", { name });
  const told = { external_id: "Key" };
  const first = "Key,name,account\n1,Anvils,Globex\n";
  await importFile(acme, "deals", first, told);
  const second = { ...told, default_account: "Walk-in" };
  const done = await importFile(acme, "deals", "Key,account,value\n1,,5\n2,,6\n", second);
  assertCounts(done, { rows: 2, created: 1, updated: 1 });
  const deals = await recordsOf(acme, "/crm/deals");
  assert.deepEqual(
    deals.map(({ name, account_name, value_of_sale }) => [name, account_name, value_of_sale]),
    [
      ["Walk-in", "Walk-in", 6],
      ["Anvils", "Globex", 5],
    ],
  );
});

test("a number that is taken rejects only its row", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  const head = "invoice_num,account,total_amount\n";
  await importFile(acme, "invoices", `${head}A-1,Globex,10\n`);
  const done = await importFile(
    acme,
    "invoices",
    `${head}A-1,Globex,10\nA-2,Globex,1\nA-2,Globex,2\n`,
  );
  assertCounts(done, { rows: 3, created: 1, refused: 2 });
  assert.match(done.rejects[0]?.reason ?? "", /already .* invoice_num "A-1"/);
  assert.match(done.rejects[1]?.reason ?? "", /already .* invoice_num "A-2"/);
});

test("a field that cannot change after creation rejects the row that changes it", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex" });
  await acme.post("/crm/accounts", { name: "Initech" });
  const told = { external_id: "Key" };
  await importFile(acme, "deals", "Key,name,account\n1,One,Globex\n", told);
  const done = await importFile(acme, "deals", "Key,name,account\n1,One,Initech\n", told);
  assertCounts(done, { rows: 1, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /^account_id: Field is frozen/);
});

test("a dry run counts everything and writes nothing", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/leads", { name: "Old", external_id: "1" });
  const text = "Key,name,source\n1,New,\n2,Bo,Pigeon\n,,\n3,,\n";
  const before = await acme.get("/crm/leads");
  const changes = async () =>
    api.sql`select count(*)::int as n from changes
             where tenant_id = ${acme.tenantId} and subject_type = 'lead'`;
  const [changed] = await changes();
  const done = await importFile(acme, "leads", text, { external_id: "Key", dry_run: true });
  assertCounts(done, { rows: 3, created: 1, updated: 1, refused: 1 });
  assert.deepEqual(done["warnings"], { unknown_word: 1 });
  assert.equal((await acme.get("/crm/leads")).text, before.text);
  assert.deepEqual((await changes())[0], changed);
});

test("every record shows its creation in its history, and every import is in the audit log", async () => {
  const acme = await api.tenant();
  const done = await importFile(acme, "leads", "name\nAnn\n");
  const [lead] = await recordsOf(acme, "/crm/leads");
  const history = await acme.get(`/crm/leads/${String(lead?.["_id"])}/history`);
  assert.equal(history.body[0].action, "created");
  const audit = await acme.get("/crm/admin/audit", { subject_id: done.id });
  assert.deepEqual(
    audit.body.map(({ action }: { action: string }) => action),
    ["finished", "created"],
  );
  assert.equal(audit.body[0].fields.created.new, 1);
});

test("a social security number is sealed in its record and stored nowhere in plain text", async () => {
  const acme = await api.tenant();
  const text =
    "name,ssn,Tax note\nAnn,123-45-6789,\n,987654321,x\n,,see 555-44-3333\nBo,111223333,a,b\n";
  const done = await importFile(acme, "leads", text);
  assertCounts(done, { rows: 4, created: 1, refused: 3 });
  const [ann] = await recordsOf(acme, "/crm/leads");
  assert.equal(ann?.["ssn"], "***-**-6789");
  const revealed = await acme.get(`/crm/leads/${String(ann?.["_id"])}`, { reveal: "ssn" });
  assert.equal(revealed.body.ssn, "123-45-6789");
  const kept = await api.sql`
    select i::text as row from imports i where tenant_id = ${acme.tenantId}
    union all select r::text from import_rejects r where tenant_id = ${acme.tenantId}
    union all select c::text from changes c where tenant_id = ${acme.tenantId}
    union all select body::text || internal::text from leads where tenant_id = ${acme.tenantId}`;
  const all = kept.map(({ row }) => row as string).join("\n");
  assert.doesNotMatch(all, /123-45-6789|123456789|987654321|555-44-3333|111223333/);
  const told = await acme.get(`/crm/imports/${done.id}/rejects`);
  assert.doesNotMatch(told.text, /987654321|555-44-3333|111223333/);
});

test("an import belongs to its tenant only", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  await acme.post("/crm/accounts", { name: "Globex", external_id: "G" });
  const done = await importFile(acme, "leads", "name\nAnn\n,\n");
  for (const path of [`/crm/imports/${done.id}`, `/crm/imports/${done.id}/rejects`]) {
    assert.equal((await rival.get(path)).status, 404);
  }
  assert.equal((await send(rival, done.id, "name\nBo\n")).status, 404);
  assert.deepEqual((await rival.get("/crm/imports")).body, []);
  const theirs = await importFile(rival, "deals", "name,account\nOne,Globex\nTwo,G\n");
  assertCounts(theirs, { rows: 2, refused: 2 });
});

test("imports are listed newest first, page by page", async () => {
  const acme = await api.tenant();
  const ids = [];
  for (const type of ["leads", "deals", "tasks"]) ids.unshift(await prepare(acme, type));
  const first = await acme.get("/crm/imports", { page_size: 2 });
  assert.deepEqual(
    first.body.map(({ id }: Import) => id),
    ids.slice(0, 2),
  );
  const next = /<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const rest = await acme.get(next);
  assert.deepEqual(
    rest.body.map(({ id, state }: Import) => [id, state]),
    [[ids[2], "waiting"]],
  );
});

const WRONG: readonly (readonly [string, object, string])[] = [
  ["an unknown type", { type: "unicorns" }, "enum"],
  ["no type", {}, "missing"],
  ["an unknown option", { type: "leads", colour: "red" }, "extra_forbidden"],
  ["an unknown encoding", { type: "leads", encoding: "ebcdic" }, "enum"],
  ["an ssn for every row", { type: "leads", set: { ssn: "123-45-6789" } }, "value_error"],
];
for (const [what, body, type] of WRONG) {
  test(`${what} is rejected`, async () => {
    const acme = await api.tenant();
    const answer = await acme.post("/crm/imports", body);
    assert.equal(answer.status, 422);
    assert.equal(answer.body.detail[0].type, type);
    assert.doesNotMatch(answer.text, /123-45-6789/);
  });
}

const UNFIT: readonly (readonly [string, string, object, RegExp])[] = [
  ["an empty file", "", {}, /The file is empty/],
  ["a workbook", "PK\u0003\u0004\u0014\u0000\u0006\u0000", {}, /save the table as CSV/],
  ["a JSON array", "[1]\n", {}, /JSON array/],
  ["a file without a known column header", "x,y\n1,2\n", {}, /no column of the file matches/],
  ["a field that is none", "name\nAnn\n", { set: { nme: "x" } }, /has no field "nme"/],
  ["a heading that is none", "name\nAnn\n", { map: { Nme: "name" } }, /no column "Nme"/],
];
for (const [what, text, options, message] of UNFIT) {
  test(`${what} fails the import and writes nothing`, async () => {
    const acme = await api.tenant();
    const id = await prepare(acme, "leads", options);
    const answer = await send(acme, id, text);
    assert.equal(answer.status, 422);
    assert.match(answer.body.detail[0].msg, message);
    const { body } = await acme.get(`/crm/imports/${id}`);
    assert.equal(body.state, "failed");
    assert.match(body.error, message);
    assert.equal((await send(acme, id, "name\nAnn\n")).status, 409);
    assert.deepEqual(await recordsOf(acme, "/crm/leads"), []);
  });
}

test("an import needs write permission, reading about it read permission", async () => {
  const acme = await api.tenant();
  const reader = await acme.token(["records:read"]);
  const id = await prepare(acme, "leads");
  assert.equal((await reader.post("/crm/imports", { type: "leads" })).status, 403);
  assert.equal((await send(reader, id, "name\nAnn\n")).status, 403);
  assert.equal((await reader.get(`/crm/imports/${id}`)).status, 200);
  const nobody = await acme.token(["exchange:review"]);
  assert.equal((await nobody.get("/crm/leads/export")).status, 403);
});

test("a method that the path does not support is rejected with the supported ones", async () => {
  const acme = await api.tenant();
  const answer = await acme.get(`/crm/imports/${await prepare(acme, "leads")}/data`);
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "PUT");
});

const EXAMPLES: readonly (readonly [string, string, object, Readonly<Record<string, number>>])[] = [
  ["leads-web-form.csv", "leads", {}, { rows: 6, created: 5, refused: 1 }],
  ["contacts-semicolon-windows-1252.csv", "contacts", {}, { rows: 3, created: 3 }],
  ["contacts-old-mac.csv", "contacts", {}, { rows: 3, created: 3 }],
  ["accounts-utf-16.csv", "accounts", {}, { rows: 3, created: 3 }],
  ["tasks.ndjson", "tasks", {}, { rows: 3, created: 2, refused: 1 }],
];
for (const [file, type, options, counts] of EXAMPLES) {
  test(`the example ${file} is imported`, async () => {
    const acme = await api.tenant();
    const bytes = readFileSync(new URL(`../../../examples/${file}`, import.meta.url));
    assertCounts(await importFile(acme, type, bytes, { file_name: file, ...options }), counts);
  });
}
