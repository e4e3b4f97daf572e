/**
 * Adding a kind of field takes two files and their lines in two lists, of the service and of the console. The test adds a kind for
 * percentages to a copy of the project, gives accounts a field of it, and uses the field in all ways.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { importFile } from "../files/imports/sending.ts";
import type * as Kit from "../kit/api.ts";
import type * as Started from "../kit/started.ts";
import { type Additions, copyProject, runIn, runTests } from "./project-copy.ts";

const PERCENT = `/** A percentage with at most one decimal. */

import type { Json } from "../../platform/json/index.ts";
import { type Fault, valueError } from "../../platform/validation/index.ts";
import { fieldKind, UNREADABLE } from "./kind.ts";

export interface PercentField {
  readonly kind: "percent";
}

const isFine = (value: number): boolean => Math.round(value * 10) === value * 10;

const percentFaults = (value: Json): readonly Fault[] =>
  typeof value !== "number" || isFine(value) ? [] : [valueError("at most one decimal is allowed")];

export const percent = fieldKind<PercentField>({
  names: ["percent"],
  request: () => ({
    type: ["number", "null"],
    minimum: 0,
    maximum: 100,
    "x-rule": ["percent", null],
  }),
  rules: () => ({ percent: percentFaults }),
  docs: () => "a percentage from 0 to 100 with at most one decimal",
  example: () => 12.5,
  column: "number",
  summary: "group",
  formats: () => ["numbers"],
  readsNothing: true,
  parse: (_, text, reader) => {
    const value = reader.number(text);
    return value !== undefined && value >= 0 && value <= 100 && isFine(value)
      ? { value }
      : UNREADABLE;
  },
});
`;

const PAGE_PERCENT = `/** A percentage. */

import type { Kind } from "../kind/index.ts";
import { numberProps } from "./number-props.ts";
import { number } from "./number.tsx";

const shown = (value: unknown): string => \`\${Number(value)} %\`;

export const percent: Kind = {
  ...number,
  Cell: ({ value }) => shown(value),
  Value: ({ value }) => shown(value),
  Input: (props) => <props.inputs.NumberField {...numberProps(props)} suffix=" %" decimalScale={1} />,
};
`;

const MIGRATION = `alter table accounts add column discount numeric;
create index accounts_discount on accounts (tenant_id, discount nulls first, id);
`;

const FIELD = `    discount: { kind: "percent", description: "The discount, in percent." },`;

const ADDITIONS: Additions = {
  files: {
    "src/records/kinds/percent.ts": PERCENT,
    "console/src/kinds/numbers/percent.tsx": PAGE_PERCENT,
    "migrations/900.do.discount.sql": MIGRATION,
  },
  changes: {
    "src/records/kinds/index.ts": [
      ["import { reference }", 'import { percent } from "./percent.ts";\nimport { reference }'],
      ["  reference,\n", "  percent,\n  reference,\n"],
    ],
    "console/src/kinds/numbers/index.ts": [
      ["import { year }", 'import { percent } from "./percent.tsx";\nimport { year }'],
      ["  number,\n", "  number,\n  percent,\n"],
    ],
    "src/records/types/account.ts": [
      ["    external_id: text(", `${FIELD}\n    external_id: text(`],
      [
        '        "industry",\n        "tags",',
        '        "industry",\n        "discount",\n        "tags",',
      ],
    ],
  },
};

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof Kit.startApi>>["tenant"]>>;

/** Values of the field, and the errors that they cause. */
const VALUES = [
  [12.5, undefined],
  [null, undefined],
  [0, undefined],
  ["12", "Input should be a valid number"],
  [100.5, "Input should be less than or equal to 100"],
  [12.25, "at most one decimal is allowed"],
] as const;

async function valuesAreChecked(client: Client): Promise<void> {
  const { body: account } = await client.post("/crm/accounts", { name: "Harbour Works" });
  assert.equal(account.discount, null);
  for (const [discount, msg] of VALUES) {
    const created = await client.post("/crm/accounts", { name: "Boats", discount });
    const changed = await client.patch(`/crm/accounts/${account._id}`, { discount });
    for (const { status, body, text } of [created, changed]) {
      if (msg === undefined) assert.deepEqual([status, body.discount], [200, discount], text);
      else assert.ok(status === 422 && body.detail[0].msg.includes(msg), text);
    }
  }
}

async function filesAreRead(client: Client): Promise<void> {
  const rows = ["Name,Discount", "First,12.5 %", "Second,n/a", "Third,120", 'Fourth,"7.5"'];
  const done = await importFile(client, "accounts", `${rows.join("\r\n")}\r\n`);
  assert.equal(done["created"], 4);
  const named = async (name: string) => {
    const query = { match_filter_dict: { name } };
    return (await client.get("/crm/accounts", query)).body[0];
  };
  const third = await named("Third");
  assert.equal((await named("First")).discount, 12.5);
  assert.equal((await named("Second")).discount, null);
  assert.equal(third.discount, null);
  assert.equal(third.description, "Discount in the file: 120");
  assert.match(JSON.stringify(done), /"unreadable_value"/);
}

async function listsUseTheColumn(client: Client): Promise<void> {
  const query = {
    match_filter_dict: { discount: { $gte: 7.5 } },
    sort_dict: { discount: -1, name: 1 },
  };
  const { body, text } = await client.get("/crm/accounts", query);
  assert.deepEqual(
    body.map(({ name, discount }: { name: string; discount: number }) => [name, discount]),
    [
      ["Boats", 12.5],
      ["First", 12.5],
      ["Fourth", 7.5],
    ],
    text,
  );
  const grouped = await client.get("/crm/accounts/summary", { group_by: "discount" });
  assert.equal(grouped.status, 200, grouped.text);
}

async function mergeFillsTheField(client: Client): Promise<void> {
  const { body: survivor } = await client.post("/crm/accounts", { name: "One" });
  const { body: merged } = await client.post("/crm/accounts", { name: "Other", discount: 30 });
  const path = `/crm/accounts/${survivor._id}/merge`;
  const { body, text } = await client.post(path, { ids: [merged._id] });
  assert.equal(body.discount, 30, text);
}

async function exportsPrintTheField(client: Client): Promise<void> {
  const { text } = await client.get("/crm/accounts/export", {
    format: "csv",
    fields: "name,discount",
  });
  assert.match(text, /,First,12\.5,/);
}

test("a kind of field is a file and a line in the service, and a file and a line in the console", async (t) => {
  const copy = await copyProject(t, ADDITIONS);
  await t.test("the service and the console compile", async () => {
    for (const project of [".", "console"]) await runIn(copy, "tsc", "-p", project);
  });
  await t.test("the API's description and the docs contain the field", async () => {
    const openapi = JSON.parse(await runIn(copy, "npm", "run", "-s", "leadport", "--", "openapi"));
    const { discount } = openapi.components.schemas.AccountRequest.properties;
    assert.deepEqual(discount, {
      type: ["number", "null"],
      minimum: 0,
      maximum: 100,
      description: "The discount, in percent.",
    });
    const docs = await runIn(copy, "npm", "run", "-s", "leadport", "--", "docs", "records");
    const passed = await runTests(copy, "test/pages/records/kinds.test.ts");
    assert.ok(passed > 0);
    assert.match(docs, /`discount` \| a percentage from 0 to 100 with at most one decimal \|/);
  });
  const { startApi } = (await import(join(copy, "test/kit/api.ts"))) as typeof Kit;
  const started = (await import(join(copy, "test/kit/started.ts"))) as typeof Started;
  // This test ends what the copy's kit started, instead of the kit itself.
  started.startFolder();
  await t.test("the service", async (inner) => {
    const client = await (await startApi(inner)).tenant();
    await inner.test("checks requests", () => valuesAreChecked(client));
    await inner.test("reads imported cells, or keeps them as notes", () => filesAreRead(client));
    await inner.test("filters, sorts and groups by the field", () => listsUseTheColumn(client));
    await inner.test("fills the field in merges", () => mergeFillsTheField(client));
    await inner.test("exports the field", () => exportsPrintTheField(client));
  });
  await started.endAllFiles();
});
