/**
 * The client's resource methods: every operation has one, their types are complete, and lists can be read as arrays or
 * with selected members.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPartnerClient, type ChangedFields, type List } from "../../sdk/src/index.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { sdkResources, resourceMethods } from "../../tools/sdk-resources.ts";
import { ROOT } from "../../tools/sources.ts";
import { all, api, sdkWorld } from "./sdk-kit.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test("sdk/src/resources.ts matches the description of the API", () =>
  assert.equal(read("sdk/src/resources.ts"), sdkResources(), "Run `npm run print`."));

/**
 * Operations without a resource method, because another client or a dedicated method covers them, or because they
 * duplicate another operation.
 */
const WITHOUT_METHOD = [
  "get /crm/changes",
  "get /crm/changes/stream",
  "get /crm/admin/pushed_leads/stream",
  "post /crm/partner/token",
  "get /crm/opportunities/{opportunity_id}",
  "get /crm/opportunities/{opportunity_id}/history",
];

test("every operation below /crm is a method of a resource", () => {
  const { paths } = JSON.parse(read("openapi.json")) as { readonly paths: object };
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith("/crm/"))
    .flatMap(([path, of]) => Object.keys(of as object).map((method) => `${method} ${path}`));
  const methods = [...resourceMethods(false), ...resourceMethods(true)];
  const covered = methods.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...covered, ...WITHOUT_METHOD].toSorted(), operations.toSorted());
});

test("records are created, read, changed, upserted and deleted by the methods of their type", async (t) => {
  const { leadport } = await sdkWorld(t);
  const { leads, tasks, accounts, deals } = leadport;
  const lead = await leads.create({ name: "Mara Lind", email: "mara@example.com" });
  assert.deepEqual(await leads.get(lead._id), lead);
  const changed = await leads.update(lead._id, { title: "Captain" }, { ifMatch: lead.version });
  assert.equal(changed.version, 2);
  await assert.rejects(leads.update(lead._id, { title: "Dr" }, { ifMatch: 1 }), { status: 412 });
  const upserted = await leads.upsertByEmail("mara@example.com", { comments: "Called" });
  assert.deepEqual([upserted._id, upserted.version], [lead._id, 3]);
  const existing = { query: { on_duplicate: "return" } } as const;
  const returned = await leads.create({ name: "Mara", email: "mara@example.com" }, existing);
  assert.equal(returned._id, lead._id);

  const deal = { name: "A berth", value_of_sale: 1200 };
  const { opportunity_id } = await leads.convert(lead._id, { deal });
  const won = await deals.update(opportunity_id ?? "", { stage: "closed_won" });
  assert.deepEqual(await deals.get(won._id), won);
  const history = await all(deals.listHistory(won._id));
  assert.deepEqual(
    history.map(({ action }) => action),
    ["updated", "created"],
  );

  const results = await tasks.batch({ items: [{ name: "Call" }, { name: "Write" }] });
  assert.deepEqual(
    results.map(({ result }) => result),
    ["created", "created"],
  );
  const gone = await tasks.delete(results[0]?._id ?? "");
  assert.deepEqual(gone.ids, [results[0]?._id]);

  const [kept, doubled] = await Promise.all(
    ["Lind & Sons", "Lind and Sons"].map((name) => accounts.create({ name })),
  );
  const merged = await accounts.merge(kept?._id ?? "", { ids: [doubled?._id ?? ""] });
  assert.equal(merged._id, kept?._id);
  const [merge] = await all(accounts.listMerges(merged._id));
  await accounts.undoMerge(merged._id, merge?.id ?? "");
  assert.equal((await accounts.get(doubled?._id ?? "")).name, "Lind and Sons");
});

test("files, exports and administration have methods, too", async (t) => {
  const { leadport } = await sdkWorld(t);
  const { id } = await leadport.imports.create({ type: "leads" });
  const done = await leadport.imports.sendData(id, "Name,Email\nMara Lind,mara@example.com\n");
  assert.equal(done.state, "finished");
  const file = await leadport.leads.export({ format: "ndjson", fields: ["name"] });
  assert.match(await file.text(), /^\{.*"name":"Mara Lind".*\}\n$/);
  const summary = await leadport.leads.summarize({ group_by: "lead_status" });
  assert.ok(summary);
  const { token } = await leadport.accessTokens.create({
    name: "reader",
    permissions: ["records:read"],
  });
  assert.match(token, /^lp_/);
  const tokens = await leadport.accessTokens.list();
  const reader = tokens.find(({ name }) => name === "reader");
  await leadport.accessTokens.revoke(reader?.id ?? "");
});

test("a partner's operations have methods, and its tenant's do, too", async (t) => {
  const { leadport, plain, proxy } = await sdkWorld(t);
  const credentials = await makePartner(plain, { commission_rate: 10 });
  const partner = createPartnerClient({ url: proxy.url, ...credentials });
  const person = { email: "ines.falk@example.com" };
  assert.deepEqual(await partner.lookup(person), { exists: false, name: null, active: false });
  const pushed = await partner.push({ name: "Ines Falk", ...person });
  await leadport.pushedLeads.accept(pushed.id);
  const { imported_lead_id } = await leadport.pushedLeads.import(pushed.id);
  const [mine] = await all(partner.pushed.list({ fields: ["status", "imported_lead_id"] }));
  assert.deepEqual(mine, { id: pushed.id, status: "imported", imported_lead_id });
  assert.equal((await partner.pushed.get(pushed.id)).status, "imported");
  assert.equal((await partner.analytics()).imported, 1);
  const listed = await all(partner.leads.list({ match_filter_dict: { name: "Ines Falk" } }));
  assert.deepEqual(listed, []);
});

test("a method without an id fails before anything is sent", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  proxy.next();
  const needsId = { name: "TypeError", message: /needs lead_id/ };
  await assert.rejects(leadport.leads.get(""), needsId);
  await assert.rejects(leadport.leads.update(undefined as never, {}), needsId);
  await assert.rejects(leadport.leads.listHistory("").next(), needsId);
  assert.equal(proxy.seen.length, 0);
});

test("a list is read into an array of a limited length, with as few requests as possible", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const items = Array.from({ length: 7 }, (_, i) => ({ name: `Task ${i}` }));
  await leadport.tasks.batch({ items });
  const list = (query: object = {}) => leadport.tasks.list({ sort_dict: { name: 1 }, ...query });
  const cases = [
    { limit: 3, query: {}, count: 3, requests: 1 },
    { limit: 100, query: {}, count: 7, requests: 1 },
    { limit: 5, query: { page_size: 2 }, count: 5, requests: 3 },
    { limit: 10_000, query: { page_size: 4 }, count: 7, requests: 2 },
  ];
  for (const { limit, query, count, requests } of cases) {
    proxy.next();
    const tasks = await list(query).autoPagingToArray({ limit });
    assert.deepEqual(
      tasks.map(({ name }) => name),
      items.slice(0, count).map(({ name }) => name),
    );
    assert.equal(proxy.seen.length, requests);
  }
  assert.match(proxy.seen[0]?.url ?? "", /page_size=4/);
  const paths = await leadport.pages("/crm/tasks").autoPagingToArray({ limit: 2 });
  assert.equal(paths.length, 2);
});

test("without a valid limit nothing is requested", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  proxy.next();
  for (const limit of [undefined, 0, -1, 1.5, 10_001, "5", Number.NaN]) {
    const call = leadport.tasks.list().autoPagingToArray({ limit: limit as number });
    await assert.rejects(call, { name: "TypeError", message: /`limit`.*from 1 to 10000/ });
  }
  // @ts-expect-error -- a limit is required
  await assert.rejects(leadport.tasks.list().autoPagingToArray(), TypeError);
  assert.equal(proxy.seen.length, 0);
});

/** `true` if both types are identical. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;

test("`fields` narrows the entries of a list, and their types", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  await leadport.leads.create({ name: "Mara Lind", title: "Captain" });
  const fields = ["name", "title"] as const;
  const members = ["_id", "id", "name", "title", "version"];
  proxy.next();
  const [listed] = await leadport.leads.list({ fields }).autoPagingToArray({ limit: 1 });
  const [inline] = await all(leadport.leads.list({ fields: ["name", "title"] }));
  const [text] = await all(leadport.leads.list({ fields: "name, title" }));
  const [paged] = await all(leadport.pages("/crm/leads", { fields }));
  const { leads } = await leadport.get("/crm/leads", { query: { fields, page_size: 1 } });
  const created = await leadport.request("get", "/crm/leads/created", { query: { fields } });
  for (const lead of [listed, inline, text, paged, leads[0], created.data[0]]) {
    assert.deepEqual(Object.keys(lead ?? {}).toSorted(), members);
    assert.equal(lead?.title, "Captain");
  }
  assert.match(proxy.seen[0]?.url ?? "", /fields=name%2Ctitle/);
  type Narrow = NonNullable<typeof listed>;
  true satisfies Same<keyof Narrow, "_id" | "id" | "version" | "name" | "title">;
  true satisfies Same<Narrow, NonNullable<typeof inline>>;
  true satisfies Same<Narrow, NonNullable<typeof text>>;
  true satisfies Same<Narrow, NonNullable<typeof paged>>;
  true satisfies Same<Narrow, (typeof leads)[number]>;
  true satisfies Same<Narrow, (typeof created.data)[number]>;
  const whole = await leadport.leads.list().autoPagingToArray({ limit: 1 });
  assert.equal(whole[0]?.email, null);

  const chosen: string = "name";
  const [unknown] = await all(leadport.leads.list({ fields: chosen }));
  true satisfies Same<(typeof unknown & object)["title"], string | null | undefined>;
  true satisfies Same<(typeof unknown & object)["_id"], string>;
});

test("a polled window accepts `fields`, and still yields each change once", async (t) => {
  const { leadport } = await sdkWorld(t);
  const { _id } = await leadport.leads.create({ name: "Mara Lind" });
  const names: string[] = [];
  const poll = leadport.poll("/crm/leads/created", { every_ms: 10, query: { fields: ["name"] } });
  for await (const lead of poll) {
    if (names.push(lead.name) === 2) break;
    await leadport.leads.update(_id, { title: "Captain" });
    await leadport.leads.create({ name: "Ines Falk" });
  }
  assert.deepEqual(names, ["Mara Lind", "Ines Falk"]);
});

const named = (changed: ChangedFields): readonly string[] => Object.keys(changed);

test("changed fields have one shape, in the feed and in the error of a conditional write", async (t) => {
  const { leadport } = await sdkWorld(t);
  const lead = await leadport.leads.create({ name: "Mara Lind" });
  await leadport.leads.update(lead._id, { title: "Captain" });
  const stale = leadport.leads.update(lead._id, { title: "Dr" }, { ifMatch: 1 });
  await assert.rejects(stale, (error: { changed_fields: ChangedFields; body: object }) => {
    assert.deepEqual(error.changed_fields, { title: {} });
    assert.deepEqual(named(error.changed_fields), ["title"]);
    assert.deepEqual((error.body as { changed_fields: unknown }).changed_fields, ["title"]);
    return true;
  });
  const unknown = leadport.leads.update(lead._id, { title: "Dr" }, { ifMatch: '"other"' });
  await assert.rejects(unknown, { changed_fields: null });
  for await (const change of leadport.changes()) {
    if (change.action !== "updated") continue;
    assert.deepEqual(change.changed_fields, { title: { old: null, new: "Captain" } });
    assert.deepEqual(named(change.changed_fields), ["title"]);
    break;
  }
});

test("what the types of methods do not allow", async (t) => {
  const { leadport } = await sdkWorld(t);
  const list: List<{ readonly _id: string }> = leadport.leads.list();
  const refused = [
    // @ts-expect-error -- a lead needs a name
    () => leadport.leads.create({}),
    // @ts-expect-error -- not a lead status
    () => leadport.leads.create({ name: "Mara Lind", status: "warm" }),
    // @ts-expect-error -- there is no such parameter
    () => leadport.leads.list({ limit: 1 }),
    // @ts-expect-error -- not a field of leads
    () => leadport.leads.list({ fields: ["stage"] }),
    // @ts-expect-error -- an id is needed
    () => leadport.leads.get(),
    // @ts-expect-error -- only tasks can be deleted
    () => leadport.leads.delete("…"),
    // @ts-expect-error -- create operations take no `ifMatch`
    () => leadport.leads.create({ name: "Mara Lind" }, { ifMatch: 1 }),
    // @ts-expect-error -- this list takes no `fields`
    () => leadport.partners.list({ fields: ["name"] }),
    // @ts-expect-error -- an operation of the partner API
    () => leadport.lookup({ email: "x" }),
    // @ts-expect-error -- `fields` did not request this member
    async () => (await leadport.leads.list({ fields: ["name"] }).next()).value?.email,
  ];
  assert.equal(refused.length, 10);
  assert.ok(list && api.url);
});
