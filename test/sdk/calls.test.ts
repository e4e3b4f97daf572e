/** The client's calls, pages and errors, tested against a running service. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, isConflict, isInvalid, isNotFound } from "../../sdk/src/index.ts";
import type { LeadportError } from "../../sdk/src/index.ts";
import { all, api, sdkWorld } from "./sdk-kit.ts";

const failureOf = async (call: Promise<unknown>): Promise<LeadportError> => {
  try {
    await call;
  } catch (error) {
    return error as LeadportError;
  }
  return assert.fail("the call succeeded");
};

test("a record is created, read, changed and deleted, and its ETag is returned", async (t) => {
  const { leadport } = await sdkWorld(t);
  const made = await leadport.post("/crm/tasks", { body: { name: "Call back" } });
  const path = { task_id: made._id };
  const read = await leadport.request("get", "/crm/tasks/{task_id}", { path });
  assert.deepEqual(read.data, made);
  assert.equal(read.status, 200);
  const changed = await leadport.request("patch", "/crm/tasks/{task_id}", {
    path,
    body: { priority: 1 },
  });
  assert.equal(changed.data.priority, 1);
  assert.equal(changed.etag, '"v2"');
  const gone = await leadport.delete("/crm/tasks/{task_id}", { path });
  assert.deepEqual(gone, { deleted: true, ids: [made._id] });
  assert.ok(isNotFound(await failureOf(leadport.get("/crm/tasks/{task_id}", { path }))));
});

test("an unchanged record has no data if the request allows that, and otherwise is an error", async (t) => {
  const { leadport, plain } = await sdkWorld(t);
  const { _id, version } = await leadport.post("/crm/leads", { body: { name: "Mara Lind" } });
  const path = { lead_id: _id };
  for (const ifNoneMatch of [version, `"v${version}"`]) {
    const same = await leadport.request("get", "/crm/leads/{lead_id}", { path, ifNoneMatch });
    assert.deepEqual([same.status, same.data, same.etag], [304, undefined, `"v${version}"`]);
  }
  await plain.patch(`/crm/leads/${_id}`, { title: "Captain" });
  const ifNoneMatch = version;
  const read = await leadport.request("get", "/crm/leads/{lead_id}", { path, ifNoneMatch });
  assert.deepEqual([read.status, read.data?.title], [200, "Captain"]);
  const headers = { "if-none-match": read.etag ?? "" };
  const error = await failureOf(leadport.get("/crm/leads/{lead_id}", { path, headers }));
  assert.equal(error.status, 304);
});

test("a service below a path, and a token that is read at each call", async (t) => {
  const { proxy, plain } = await sdkWorld(t);
  const leadport = createClient({ url: `${proxy.url}/below/`, token: async () => plain.bearer });
  const error = await failureOf(leadport.get("/crm/leads"));
  assert.equal(proxy.seen[0]?.url, "/below/crm/leads");
  assert.equal(proxy.seen[0]?.headers.authorization, `Bearer ${plain.bearer}`);
  assert.equal(error.status, 404);
});

test("errors contain what the service reports", async (t) => {
  const { leadport } = await sdkWorld(t);
  const wrong = await failureOf(leadport.post("/crm/leads", { body: { status: "warm" } as never }));
  assert.ok(isInvalid(wrong));
  assert.deepEqual(
    wrong.issues.map(({ type, loc }) => [type, loc.join(".")]),
    [
      ["missing", "body.name"],
      ["enum", "body.status"],
    ],
  );
  assert.match(wrong.message, /^POST \/crm\/leads: 422 body\.name: Field required; body\.status: /);
  assert.ok(wrong.requestId);
  const body = { name: "Mara Lind", external_id: "A-1" };
  const first = await leadport.post("/crm/leads", { body });
  const again = await failureOf(leadport.post("/crm/leads", { body }));
  assert.ok(isConflict(again) && !isInvalid(again) && again.issues.length === 0);
  assert.equal(again.existing_id, first._id);
});

test("a missing id, or one that URLs omit, does not call another operation", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  for (const lead_id of ["", ".", "..", undefined as never]) {
    const call = leadport.get("/crm/leads/{lead_id}", { path: { lead_id } });
    await assert.rejects(call, { name: "TypeError", message: /needs lead_id/ });
  }
  const { status } = await failureOf(
    leadport.get("/crm/leads/{lead_id}", { path: { lead_id: "created/../x?y" } }),
  );
  assert.equal(status, 404);
  assert.equal(proxy.seen[0]?.url, "/crm/leads/created%2F..%2Fx%3Fy");
});

test("pages are read while the loop runs, in lists of every shape", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const names = Array.from({ length: 7 }, (_, i) => `Lead ${i}`);
  for (const name of names) await leadport.post("/crm/leads", { body: { name, source: "Google" } });
  const accounts = ["A & Co", "B", "C"];
  for (const name of accounts) await leadport.post("/crm/accounts", { body: { name } });
  const match_filter_dict = { lead_source: { $in: ["Google"] } };
  const query = { match_filter_dict, sort_dict: { name: 1 }, page_size: 3 } as const;
  const lists = [
    { loop: leadport.pages("/crm/leads", query), names, pages: 3 },
    { loop: leadport.pages("/crm/leads/created", query), names, pages: 3 },
    { loop: leadport.pages("/crm/leads"), names: names.toReversed(), pages: 1 },
    {
      loop: leadport.pages("/crm/accounts", { sort_dict: { name: -1 }, page_size: 2 }),
      names: accounts.toReversed(),
      pages: 2,
    },
    { loop: leadport.pages("/crm/tasks", { start_date: new Date() }), names: [], pages: 1 },
  ];
  for (const { loop, names, pages } of lists) {
    proxy.next();
    assert.deepEqual(
      (await all<{ readonly name: string }>(loop)).map(({ name }) => name),
      names,
    );
    assert.equal(proxy.seen.length, pages);
  }
  proxy.next();
  for await (const lead of leadport.pages("/crm/leads", query)) {
    assert.equal(lead.name, "Lead 0");
    break;
  }
  assert.equal(proxy.seen.length, 1, "a loop that is left asks for no more");
});

test("a history has pages, too", async (t) => {
  const { leadport } = await sdkWorld(t);
  const { _id: lead_id } = await leadport.post("/crm/leads", { body: { name: "Mara Lind" } });
  const path = { lead_id };
  await leadport.patch("/crm/leads/{lead_id}", { path, body: { title: "Captain" } });
  const pages = leadport.pages("/crm/leads/{lead_id}/history", { page_size: 1 }, { path });
  assert.deepEqual(
    (await all(pages)).map(({ action }) => action),
    ["updated", "created"],
  );
});

test("files are sent unchanged, and exports arrive as a stream", async (t) => {
  const world = await sdkWorld(t);
  const { leadport, proxy } = world;
  const body = { type: "leads" } as const;
  const { id: import_id } = await leadport.post("/crm/imports", { body });
  const file = new Blob(["Name,Email\nMara Lind,mara@example.com\n"]).stream();
  const done = await leadport.put("/crm/imports/{import_id}/data", {
    path: { import_id },
    body: file,
  });
  assert.equal(done.state, "finished");
  const answer = await leadport.open("get", "/crm/leads/export", { query: { format: "ndjson" } });
  assert.match(await answer.text(), /^\{.*"name":"Mara Lind".*\}\n$/);
  const { plain } = world;
  const impatient = createClient({ url: proxy.url, token: plain.bearer, timeout_ms: 1 });
  const { status } = await impatient.leads.export({ format: "ndjson" });
  assert.equal(status, 200, "exports may take longer to start than other responses");
  proxy.next({ kind: "answer", status: 503 });
  const another = await leadport.post("/crm/imports", { body }).then(({ id }) => id);
  proxy.next({ kind: "answer", status: 503 });
  const sent = leadport.put("/crm/imports/{import_id}/data", {
    path: { import_id: another },
    body: "Name\nInes Falk\n",
  });
  assert.equal((await failureOf(sent)).status, 503);
  assert.equal(proxy.seen.length, 1, "a file is sent once");
});

test("what the types do not allow", async (t) => {
  const { leadport } = await sdkWorld(t);
  const refused = [
    // @ts-expect-error -- a lead needs a name
    () => leadport.post("/crm/leads", { body: {} }),
    // @ts-expect-error -- not a lead status
    () => leadport.post("/crm/leads", { body: { name: "Mara Lind", status: "warm" } }),
    // @ts-expect-error -- there is no such parameter
    () => leadport.get("/crm/leads", { query: { limit: 1 } }),
    // @ts-expect-error -- an id is needed
    () => leadport.get("/crm/leads/{lead_id}"),
    // @ts-expect-error -- an operation of the partner API
    () => leadport.get("/crm/partner/me"),
    // @ts-expect-error -- not a field of leads
    () => leadport.edit("lead", "…", () => ({ stage: "closed_won" })),
    // @ts-expect-error -- a list without a time window cannot be polled
    () => all(leadport.poll("/crm/leads")),
    // @ts-expect-error -- create operations take no `ifMatch`
    () => leadport.post("/crm/leads", { body: { name: "Mara Lind" }, ifMatch: 1 }),
    // @ts-expect-error -- reads take `ifNoneMatch`, not `ifMatch`
    () => leadport.get("/crm/leads/{lead_id}", { path: { lead_id: "…" }, ifMatch: 1 }),
    // @ts-expect-error -- lists take no `ifNoneMatch`
    () => leadport.request("get", "/crm/leads", { ifNoneMatch: 1 }),
    // @ts-expect-error -- not a list
    () => all(leadport.pages("/crm/admin/tenant")),
  ];
  assert.equal(refused.length, 11);
  assert.ok(api.url);
});
