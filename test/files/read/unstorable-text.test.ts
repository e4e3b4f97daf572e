/** U+0000 and unpaired surrogates in files: an import is stored so that PostgreSQL can parse everything about it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { importFile, prepare, recordsOf, send, type Import } from "../imports/sending.ts";
import { unstorableIssues } from "../../../src/platform/json/index.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";

const api = await sharedApi();

const line = (...objects: readonly object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join("");

/** Parses everything in the JSON columns of a tenant's imports and their changes, as SQL statements do. */
const parseStored = ({ tenantId }: Client) => api.sql`
  select (select count(*) from json_each(i.mapping)), (select count(*) from json_each(i.file)),
         (select count(*) from json_each(i.tally)), (select count(*) from json_each(i.options)),
         (select count(*) from changes c, json_each(c.fields) where c.tenant_id = i.tenant_id)
    from imports i where tenant_id = ${tenantId}`;

const FILES = [
  [
    "x.csv",
    `name,od\0d,od\uFFFDd\n${"Ann Lee,1,2\n".repeat(9)}`,
    ["name", "od\uFFFDd", "od\uFFFDd (2)"],
  ],
  ["x.ndjson", line({ name: "Ann" }, { name: "Bo", "od\0d": 1 }), ["name", "od\uFFFDd"]],
  ["x.ndjson", line({ name: "Ann", "\ud800": 1 }), ["name", "\uFFFD"]],
] as const;

for (const [file_name, text, columns] of FILES) {
  test(`the column names ${JSON.stringify(columns)} of ${file_name} are storable`, async () => {
    const acme = await api.tenant();
    const id = await prepare(acme, "leads", { file_name });
    const sent = await send(acme, id, text);
    assert.equal(sent.status, 200, sent.text);
    const { matched, unmatched } = (sent.body as Import)["mapping"] as {
      readonly matched: readonly { readonly heading: string }[];
      readonly unmatched: readonly string[];
    };
    assert.deepEqual([...matched.map(({ heading }) => heading), ...unmatched], columns);
    const [listed] = (await acme.get("/crm/imports")).body as unknown as readonly Import[];
    const one = (await acme.get(`/crm/imports/${id}`)).body as unknown as Import;
    assert.deepEqual([listed?.["columns"], one["columns"]], [columns.length, columns.length]);
    await parseStored(acme);
  });
}

test("a column can be mapped by its stored name", async () => {
  const acme = await api.tenant();
  const text = line({ name: "Ann", "x\0": "Baker" });
  await importFile(acme, "leads", text, { format: "ndjson", map: { "x\uFFFD": "title" } });
  assert.equal((await recordsOf(acme, "/crm/leads"))[0]?.["title"], "Baker");
});

test("a social security number under such a name is masked among the rejects", async () => {
  const acme = await api.tenant();
  const text = line({ name: "", "ssn\0": 123456789 });
  const done = await importFile(acme, "contacts", text, { format: "ndjson" });
  assert.match(done.rejects[0]?.raw ?? "", /\*\*\*/);
  assert.doesNotMatch(done.rejects[0]?.raw ?? "", /123456789/);
});

test("the examples of a decision are storable", async () => {
  const acme = await api.tenant();
  const text = line({ name: "Ann", "Decision Date": "13/1/2024 \0\ud800" });
  const done = await importFile(acme, "leads", text, { format: "ndjson" });
  const { decisions } = done["mapping"] as { readonly decisions: readonly { examples: unknown }[] };
  assert.deepEqual(decisions[0]?.examples, ["13/1/2024 \uFFFD\uFFFD"]);
  await parseStored(acme);
});

for (const type of Object.values(BUILT_IN_TYPES)) {
  for (const dry_run of [false, true]) {
    test(`no value in a file of ${type.table} is stored with such a character${dry_run ? " by a dry run" : ""}`, async () => {
      const acme = await api.tenant();
      await acme.post("/crm/accounts", { name: "Globex" });
      const needed = { name: "Ann", account_id: "Globex", invoice_num: "7", total_amount: 5 };
      const rows = Object.keys(type.fields).flatMap((name) =>
        ["x\0", "\ud800x", ["x\0"], { "\ud800": 1 }].map((value) => ({ ...needed, [name]: value })),
      );
      const options = { format: "ndjson", dry_run, create_accounts: true };
      await importFile(acme, type.name, line(...rows), options);
      await parseStored(acme);
      const bodies = await recordsOf(acme, type.lists["all"]?.path ?? "");
      assert.deepEqual(unstorableIssues(bodies, 10), []);
    });
  }
}

test("an import by an earlier version can be read, whatever its column names contain", async () => {
  const acme = await api.tenant();
  const { id } = await importFile(acme, "leads", "name,odd\nAnn,1\n");
  await api.sql`
    update imports set mapping = replace(mapping::text, 'odd', ${"od\\u0000\\ud800d"})::json
     where tenant_id = ${acme.tenantId}`;
  for (const path of ["/crm/imports", `/crm/imports/${id}`]) {
    const { status, body, text } = await acme.get(path);
    assert.equal(status, 200, text);
    const [found] = [body].flat() as unknown as readonly Import[];
    assert.equal(found?.["columns"], 2);
  }
});
