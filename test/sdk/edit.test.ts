/**
 * Edits that never overwrite another change: a record is read and then updated only if its version is still current.
 * Otherwise, the edit is retried.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isPreconditionFailed, LeadportError } from "../../sdk/src/index.ts";
import { sdkWorld } from "./sdk-kit.ts";

/** Marks the ETag as weak, as nginx does when it compresses a response. */
async function throughCompression(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.set("etag", `W/${headers.get("etag")}`);
  return new Response(response.body, { status, headers });
}

test("of many concurrent edits none loses another's changes, nor writes twice", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const { _id } = await leadport.post("/crm/leads", { body: { name: "Mara Lind", tags: [] } });
  const tags = ["a", "b", "c", "d"];
  proxy.next({ kind: "refuse" }, { kind: "lose-answer" }, { kind: "refuse" });
  await Promise.all(
    tags.map((tag) =>
      leadport.edit("lead", _id, (lead) => ({ tags: [...(lead.tags ?? []), tag] }), { edits: 20 }),
    ),
  );
  const { tags: stored, version } = await leadport.get("/crm/leads/{lead_id}", {
    path: { lead_id: _id },
  });
  assert.deepEqual(stored?.toSorted(), tags);
  assert.equal(version, 1 + tags.length);
});

test("an edit succeeds behind a proxy that weakens ETags", async (t) => {
  const { leadport } = await sdkWorld(t, { fetch: throughCompression });
  const body = { name: "Mara Lind" };
  const { data, etag } = await leadport.request("post", "/crm/leads", { body });
  const edited = await leadport.edit("lead", data._id, () => ({ title: "Captain" }), { edits: 1 });
  assert.equal(edited.version, 2);
  assert.equal(etag, '"v1"');
});

test("an edit without changes writes nothing, and deals are edited under both of their names", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const account = await leadport.post("/crm/accounts", { body: { name: "Lind & Sons" } });
  const deal = await leadport.post("/crm/opportunities", {
    body: { name: "A berth", account_id: account._id },
  });
  const won = await leadport.edit("deal", deal._id, async () => ({ stage: "closed_won" }));
  assert.equal(won.stage, "closed_won");
  proxy.next();
  assert.deepEqual(await leadport.edit("deal", deal._id, () => undefined), won);
  assert.deepEqual(await leadport.edit("deal", deal._id, () => ({})), won);
  assert.deepEqual(
    proxy.seen.map(({ method }) => method),
    ["GET", "GET"],
  );
});

test("a write on an old version is rejected and names what was changed", async (t) => {
  const { leadport } = await sdkWorld(t);
  const lead = await leadport.post("/crm/leads", { body: { name: "Mara Lind" } });
  const path = { lead_id: lead._id };
  await leadport.patch("/crm/leads/{lead_id}", { path, body: { title: "Captain" } });
  const stale = leadport.patch("/crm/leads/{lead_id}", {
    path,
    body: { comments: "Called" },
    ifMatch: lead.version,
  });
  await assert.rejects(stale, (error) => {
    assert.ok(isPreconditionFailed(error) && error instanceof LeadportError);
    assert.deepEqual(error.changed_fields, { title: {} });
    return true;
  });
  const rivals = leadport.edit(
    "lead",
    lead._id,
    async ({ version }) => {
      const body = { comments: `Version ${version}` };
      await leadport.patch("/crm/leads/{lead_id}", { path, body });
      return { title: "Skipper" };
    },
    { edits: 2 },
  );
  await assert.rejects(rivals, isPreconditionFailed, "in the end it says so");
});
