/** How column headers and options determine a file's mapping, and the report on each column. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import {
  MappingError,
  mappingOptionsOf,
  type MappingOptions,
} from "../../../src/files/columns/mapping-options.ts";
import { parseTemplate, renderTemplate } from "../../../src/files/columns/template.ts";
import { BUILT_IN_TYPES, type RecordName } from "../../../src/records/types/record-types.ts";

const compile = (name: RecordName, headings: readonly string[], options: MappingOptions = {}) =>
  compileMapping(BUILT_IN_TYPES[name], { format: "csv", headings, rows: [] }, options);

/** Checks the field into which each column is imported. Null means that the column is not imported. */
function check(name: RecordName, headings: Record<string, string | null>, options = {}) {
  const { report } = compile(name, Object.keys(headings), options);
  const taken = new Map(
    [...report.matched, ...report.alternatives].map(({ heading, field }) => [heading, field]),
  );
  const found = Object.keys(headings).map((heading) => [heading, taken.get(heading) ?? null]);
  assert.deepEqual(Object.fromEntries(found), headings);
  return report;
}

test("the headers of a web form are known", () => {
  check("lead", {
    "Date Submitted": null,
    "Full Name": "name",
    "E-mail 1": "email",
    "Phone Number": "phone",
    Organization: "employer_name",
    Status: "status",
    "Lead Source": "source",
    Remarks: "comments",
    Notes: "comments",
    Country: null,
  });
});

test("names can be written in any spelling", () => {
  for (const [first, last] of [
    ["first_name", "last_name"],
    ["firstName", "lastName"],
    ["First Name", "LAST NAME"],
    ["First-Name*", "Last.Name"],
  ] as const) {
    check("contact", { [first]: "first_name", [last]: "last_name" });
  }
});

test("the most common columns are known in other languages", () => {
  for (const [name, email, phone, company] of [
    ["氏名", "メールアドレス", "電話番号", "会社名"],
    ["姓名", "邮箱", "手机号码", "公司名称"],
    ["Imię i nazwisko", "Adres e-mail", "Telefon", "Firma"],
    ["Nom complet", "Courriel", "Téléphone", "Société"],
    ["Név", "E-mail", "Telefonszám", "Cég"],
  ] as const) {
    check("lead", {
      [name]: "name",
      [email]: "email",
      [phone]: "phone",
      [company]: "employer_name",
    });
  }
  check("contact", { Vorname: "first_name", Nachname: "last_name", "E-Mail-Adresse": "email" });
});

test("of several phones the best is read, the others if it is empty", () => {
  const report = check("contact", {
    Id: "external_id",
    AccountId: "account_id",
    Name: "name",
    MobilePhone: "phone",
    Phone: "phone",
    Fax: null,
    Birthdate: "birth_date",
    "Lead Status": "status",
  });
  assert.deepEqual(report.alternatives, [
    { heading: "MobilePhone", field: "phone", instead: "Phone" },
  ]);
});

test("an account's name can be called company, and its domain is the website if there is none", () => {
  check("account", {
    "Company Name": "name",
    "Company Domain Name": "website",
    Sector: "industry",
  });
  const report = check("account", { Website: "website", Domain: null, account: "name" });
  assert.deepEqual(report.not_taken, [{ heading: "Domain", field: "website", instead: "Website" }]);
});

test("the headers of two deal exports are known", () => {
  check("deal", {
    "Deal ID": "external_id",
    "Deal Name": "name",
    "Deal Stage": "stage",
    Amount: "value_of_sale",
    "Close Date": "close_date",
    "Associated Company Domain": "account_id",
    "Associated Contact Email": "contact_id",
  });
  check("deal", {
    Id: "external_id",
    AccountId: "account_id",
    Name: "name",
    StageName: "stage",
    Probability: "probability_pcnt",
    CloseDate: "close_date",
    LeadSource: "marketing_source",
  });
});

test("tickets and activities are tasks; a subject without a subject type is a title", () => {
  check("task", {
    "Ticket Name": "name",
    "Ticket Priority": "priority",
    "Task Due Date": "due_date",
  });
  check("task", { Subject: "name", "Associated Contact Email": "subject" });
  check("task", { name: "name", subject_type: "subject_type", subject: "subject" });
});

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`every field of a ${type.name} is known by its own name`, () => {
    const fields = Object.fromEntries(Object.keys(type.fields).map((name) => [name, name]));
    check(type.name, fields);
  });
}

test("every column is listed in exactly one place", () => {
  const headings = ["Name", "Full Name", "Phone", "Mobile", "Shoe Size", "Fax", "Street", "Id"];
  const { report } = compile("lead", headings, {
    map: { Fax: "" },
    set: { comments: "Lives in {Street}" },
  });
  const told = [
    ...report.matched,
    ...report.alternatives,
    ...report.not_taken,
    ...[...report.in_templates, ...report.ignored, ...report.read_only, ...report.unmatched].map(
      (heading) => ({ heading }),
    ),
  ].map(({ heading }) => heading);
  assert.deepEqual(told.toSorted(), headings.toSorted());
});

test("a mapping by hand takes precedence", () => {
  check(
    "lead",
    { Name: "name", Campaign: "source", Source: null, Key: "external_id", Id: null },
    { map: { Campaign: "source" }, external_id: "Key" },
  );
});

function keyed(name: RecordName, headings: readonly string[], external_id: string) {
  const { sources, report } = compile(name, headings, { external_id });
  assert.deepEqual(sources.get("external_id"), [external_id]);
  return report;
}

test("a key that is also a field is imported into it, too, and listed twice", () => {
  assert.deepEqual(keyed("account", ["account", "sector"], "account").matched, [
    { heading: "account", field: "external_id" },
    { heading: "account", field: "name" },
    { heading: "sector", field: "industry" },
  ]);
  const people = keyed("contact", ["Contact ID", "Email", "Work Email"], "Work Email");
  assert.deepEqual(people.matched, [
    { heading: "Email", field: "email" },
    { heading: "Work Email", field: "external_id" },
  ]);
  assert.deepEqual(people.alternatives, [
    { heading: "Work Email", field: "email", instead: "Email" },
  ]);
  assert.deepEqual(people.not_taken, [
    { heading: "Contact ID", field: "external_id", instead: "Work Email" },
  ]);
  const unknown = keyed("lead", ["Name", "Row"], "Row");
  assert.deepEqual(unknown.matched.at(-1), { heading: "Row", field: "external_id" });
  assert.deepEqual(unknown.unmatched, []);
  const moved = keyed("lead", ["_id", "name"], "_id");
  assert.deepEqual([moved.matched.length, moved.read_only], [2, []]);
});

test("a key that is mapped by hand is read into that field, or into none", () => {
  const external_id = "Email";
  const sourcesOf = (map: Record<string, string>) => [
    ...compile("contact", ["Name", "Email"], { external_id, map }).sources,
  ];
  const name = ["name", ["Name"]];
  const key = ["external_id", ["Email"]];
  assert.deepEqual(sourcesOf({ Email: "" }), [key, name]);
  assert.deepEqual(sourcesOf({ Email: "comments" }), [["comments", ["Email"]], key, name]);
});

test("our own exports are read by their own names, and derived columns are ignored", () => {
  const report = check("deal", {
    _id: null,
    id: null,
    name: "name",
    account_id: "account_id",
    account_name: null,
    close_date: "close_date",
    created_ts: null,
  });
  assert.deepEqual(report.read_only, ["_id", "id", "account_name", "created_ts"]);
});

test("all errors in the options are returned together", () => {
  assert.throws(
    () =>
      compile("deal", ["Title", "Stage"], {
        map: { Nowhere: "name", Title: "colour" },
        set: { name: "{Nothing}" },
        values: { stage: { Won: "victory" }, "*": { Lost: "gone" } },
      }),
    (error) => {
      assert.ok(error instanceof MappingError);
      assert.deepEqual(
        error.problems.map((problem) => problem.slice(0, 40)),
        [
          'map: the file has no column "Nowhere"',
          'map: a deal has no field "colour"; it ha',
          'set: the file has no column "Nothing"',
          "value: stage must be one of draft, prosp",
          'value: no field has the value "gone"',
          "no column provides the account or contac",
        ],
      );
      return true;
    },
  );
});

test("the options of the command are read", () => {
  const options = mappingOptionsOf({
    map: ["Lead Source=source", "a=b=name", "Fax="],
    set: ["name={account} – {product}", "comments=x=y"],
    value: ["Won=closed_won", "stage:Lost=closed_lost", "Deal Stage:a:b=draft"],
  });
  assert.deepEqual(options, {
    map: { "Lead Source": "source", "a=b": "name", Fax: "" },
    set: { name: "{account} – {product}", comments: "x=y" },
    values: {
      "*": { Won: "closed_won" },
      stage: { Lost: "closed_lost" },
      "Deal Stage": { "a:b": "draft" },
    },
  });
});

const render = (template: string, row: Record<string, string>) =>
  renderTemplate(parseTemplate(template), (part) => row[part] ?? "");

test("a template closes up around missing values", () => {
  assert.equal(render("{a} – {b}", { a: "x", b: "y" }), "x – y");
  assert.equal(render("{a} – {b}", { a: "x" }), "x");
  assert.equal(render("{a} – {b}", { b: "y" }), "y");
  assert.equal(render("{a}, {b} – {c}", { a: "x", c: "z" }), "x – z");
  assert.equal(render("{a} ({b})", { a: "x" }), "x");
  assert.equal(render("Deal of {a}!", {}), "");
  assert.equal(render("always", {}), "always");
});

for (const [name, field] of [
  ["Email", "email"],
  ["Notes", "comments"],
] as const) {
  test(`of 200 columns that mean ${name}, 50 are read and the others are listed`, () => {
    const headings = Array.from({ length: 200 }, (_, at) => `${name} (${at})`);
    const { sources, report } = compile("contact", ["Name", ...headings]);
    assert.deepEqual(sources.get(field), headings.slice(0, 50));
    const listed = [report.matched, report.alternatives, report.not_taken].flat();
    assert.deepEqual(
      listed.map(({ heading }) => heading),
      ["Name", ...headings],
    );
    assert.equal(report.not_taken.length, 150);
  });
}
