/**
 * A record type can depend on the tenant. The test changes only the registry, in a copy of the project: the leads of a
 * single tenant have one more field, and one of their lists has one more filter. All operations must know the field for
 * this tenant, and reject it for others.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { assertCounts, importFile } from "../files/imports/sending.ts";
import type * as Kit from "../kit/api.ts";
import type * as Started from "../kit/started.ts";
import { type Additions, copyProject, runIn } from "./project-copy.ts";

/** The environment variable with the id of the tenant that has the field. */
const TENANT = "TENANT_WITH_BUDGET";

const REGISTRY = `const { lead } = BUILT_IN_TYPES;
const { status_updated: window, ...lists } = lead.lists;
const WITH_BUDGET: RecordTypes = {
  ...BUILT_IN_TYPES,
  lead: {
    ...lead,
    fields: { ...lead.fields, budget: { kind: "text", max: 20, description: "The budget." } },
    lists: {
      ...lists,
      ...(window && {
        status_updated: { ...window, filter: [...window.filter, "employer_name"] },
      }),
    },
  },
};

export const typesOf = ({ tenantId }: OfTenant): RecordTypes =>
  tenantId === process.env["${TENANT}"] ? WITH_BUDGET : BUILT_IN_TYPES;`;

const ADDITIONS: Additions = {
  files: {},
  changes: {
    "src/records/types/registry.ts": [
      ["export const typesOf: (of: OfTenant) => RecordTypes = () => BUILT_IN_TYPES;", REGISTRY],
    ],
  },
};

type Client = Awaited<ReturnType<Awaited<ReturnType<typeof Kit.startApi>>["tenant"]>>;

type Lead = Readonly<Record<string, unknown>> & { readonly _id: string };

async function create(client: Client, body: object): Promise<Lead> {
  const { status, body: lead, text } = await client.post("/crm/leads", body);
  assert.equal(status, 200, text);
  return lead;
}

async function writesAreChecked(client: Client): Promise<void> {
  const lead = await create(client, { name: "Ann", budget: "10,000" });
  const path = `/crm/leads/${lead._id}`;
  assert.equal(lead["budget"], "10,000");
  assert.equal((await client.patch(path, { budget: "12,000" })).body.budget, "12,000");
  assert.equal((await client.get(path)).body.budget, "12,000");
  const tooLong = await client.patch(path, { budget: "x".repeat(21) });
  assert.equal(tooLong.body.detail?.[0].type, "string_too_long", tooLong.text);
  const [changed] = (await client.get(`${path}/history`)).body;
  assert.deepEqual(changed.fields.budget, { old: "10,000", new: "12,000" });
  const put = await client.put("/crm/leads/by/external_id/7", { name: "Bo", budget: "7" });
  assert.equal(put.body.budget, "7", put.text);
  const items = [
    { name: "Cy", budget: "8" },
    { name: "Di", budget: 8 },
  ];
  const batch = await client.post("/crm/leads/batch", { items });
  assert.deepEqual(
    batch.body.map(({ status }: { status: number }) => status),
    [200, 422],
  );
}

async function listsKnowTheField(client: Client): Promise<void> {
  const { body, text } = await client.get("/crm/leads", { fields: "name,budget" });
  const found = body.leads.map(({ name, budget }: Record<string, string>) => `${name} ${budget}`);
  assert.deepEqual(found, ["Cy 8", "Bo 7", "Ann 12,000"], text);
  const filter = { match_filter_dict: { employer_name: "Acme" } };
  const window = await client.get("/crm/leads/status_updated", filter);
  assert.equal(window.status, 200, window.text);
}

async function filesKnowTheField(client: Client): Promise<void> {
  assertCounts(await importFile(client, "leads", "Name,Budget\r\nEd,9\r\n"), {
    rows: 1,
    created: 1,
  });
  const { text } = await client.get("/crm/leads/export", { fields: "name,budget" });
  assert.match(text, /,Ed,9,/);
  const whole = await client.get("/crm/leads/export");
  assert.match(whole.text.split("\r\n")[0] ?? "", /\bbudget\b/);
}

async function mergesAndEventsKnowTheField(client: Client): Promise<void> {
  const survivor = await create(client, { name: "Flo" });
  const merged = await create(client, { name: "Flo", budget: "3" });
  const path = `/crm/leads/${survivor._id}`;
  const merge = await client.post(`${path}/merge`, { ids: [merged._id] });
  assert.equal(merge.body.budget, "3", merge.text);
  const id = merge.headers.get("x-merge-id");
  const undone = await client.post(`${path}/merges/${id}/undo`);
  assert.equal(undone.body.budget, null, undone.text);
  const { body: feed } = await client.get("/crm/changes", { types: "lead" });
  assert.ok(JSON.stringify(feed).includes('"budget":{"old":null,"new":"3"}'));
}

/** What partners see is an allow list, which does not contain the tenant's own fields. */
async function partnersDoNotSeeTheField(client: Client): Promise<void> {
  await create(client, { name: "Gus", source: "Google", budget: "5" });
  const settings = { allowed_marketing_sources: ["Google"], permissions: ["read_leads"] };
  const partner = await partnerOf(client, settings);
  const { body, text } = await partner.get("/crm/partner/leads");
  assert.equal(body.leads[0].name, "Gus", text);
  assert.ok(!text.includes("budget"), text);
  const asked = await partner.get("/crm/partner/leads", { fields: "budget" });
  assert.equal(asked.status, 422, asked.text);
}

/** Returns the names of the fields of leads, and the ETag of the definitions. */
async function definitions(client: Client) {
  const { body, headers } = await client.get("/crm/fields", { type: "lead" });
  return { names: JSON.stringify(body), etag: headers.get("etag") };
}

async function othersLackTheField(client: Client, other: Client): Promise<void> {
  const lead = await create(other, { name: "Ann" });
  const refused = [
    await other.post("/crm/leads", { name: "Ann", budget: "1" }),
    await other.patch(`/crm/leads/${lead._id}`, { budget: "1" }),
    await other.put("/crm/leads/by/external_id/7", { name: "Bo", budget: "1" }),
    await other.get("/crm/leads", { fields: "budget" }),
    await other.get("/crm/leads/export", { fields: "budget" }),
    await other.get("/crm/leads/status_updated", {
      match_filter_dict: { employer_name: "Acme" },
    }),
  ];
  for (const { status, text } of refused) assert.equal(status, 422, text);
  assert.ok(!("budget" in lead));
  const file = await importFile(other, "leads", "Name,Budget\r\nEd,9\r\n");
  const imported = await other.get("/crm/leads", { match_filter_dict: { name: "Ed" } });
  assert.equal(imported.body.leads[0].comments, null, JSON.stringify(file));
  const mine = await definitions(client);
  const theirs = await definitions(other);
  assert.ok(mine.names.includes('"budget"') && !theirs.names.includes('"budget"'));
  assert.notEqual(mine.etag, theirs.etag);
  assert.equal((await definitions(client)).etag, mine.etag);
}

test("a field of one tenant's type is known to all operations, for this tenant only", async (t) => {
  const copy = await copyProject(t, ADDITIONS);
  await t.test("the service compiles", async () => {
    await runIn(copy, "tsc", "-p", ".");
  });
  const { startApi } = (await import(join(copy, "test/kit/api.ts"))) as typeof Kit;
  const started = (await import(join(copy, "test/kit/started.ts"))) as typeof Started;
  // This test ends what the copy's kit started, instead of the kit itself.
  started.startFolder();
  await t.test("the service", async (inner) => {
    const api = await startApi(inner);
    const client = await api.tenant();
    process.env[TENANT] = client.tenantId;
    inner.after(() => delete process.env[TENANT]);
    await inner.test("checks and stores the field", () => writesAreChecked(client));
    await inner.test("lists the field", () => listsKnowTheField(client));
    await inner.test("imports and exports the field", () => filesKnowTheField(client));
    await inner.test("merges the field", () => mergesAndEventsKnowTheField(client));
    await inner.test("hides the field from partners", () => partnersDoNotSeeTheField(client));
    await inner.test("rejects the field for others", async () =>
      othersLackTheField(client, await api.tenant()),
    );
  });
  await started.endAllFiles();
});
