/** After a merge: If-Match with a merged record's id, upserts by its external id, and the change feed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok } from "../samples.ts";
import { eventually } from "../../kit/eventually.ts";

const api = await sharedApi();
const LEADS = "/crm/leads";

/** Creates two leads with different external ids and merges the second into the first. */
async function mergedPair(acme: Client) {
  const create = async (external_id: string) =>
    ok(await acme.post(LEADS, { name: "Ada", external_id })).body._id as string;
  const into = await create("one");
  const old = await create("two");
  const merged = await acme.post(`${LEADS}/${into}/merge`, { ids: [old] });
  assert.equal(merged.headers.get("etag"), '"v2"');
  return { into, old, mergeId: merged.headers.get("x-merge-id") };
}

test("an upsert by the external id of a merged record changes the survivor, which keeps its own external id", async () => {
  const acme = await api.tenant();
  const { into } = await mergedPair(acme);
  const body = { name: "Ada", comments: "known", external_id: "two" };
  const answer = ok(await acme.put(`${LEADS}/by/external_id/two`, body));
  assert.equal(answer.headers.get("x-result"), "updated");
  const { _id, comments, external_id } = answer.body;
  assert.deepEqual([_id, comments, external_id], [into, "known", "one"]);
  const again = ok(await acme.put(`${LEADS}/by/external_id/two`, body));
  assert.equal(again.headers.get("x-result"), "unchanged");
  assert.equal(ok(await acme.get(LEADS)).body.leads.length, 1);
});

test("by an old id only the survivor's long tag matches, by its own id both do", async () => {
  const acme = await api.tenant();
  const { into, old } = await mergedPair(acme);
  const edit = (id: string, tag: string, comments: string) =>
    acme.request({
      method: "PATCH",
      path: `${LEADS}/${id}`,
      headers: { "content-type": "application/json", "if-match": tag },
      body: JSON.stringify({ comments }),
    });
  const stale = await edit(old, '"v2"', "meant for the merged one");
  assert.equal(stale.status, 412);
  assert.equal(stale.headers.get("etag"), `"${into}-v2"`);
  assert.equal(stale.body.changed_fields, null);
  assert.equal(ok(await edit(old, `"${into}-v2"`, "a")).headers.get("etag"), `"${into}-v3"`);
  assert.equal(ok(await edit(into, `"${into}-v3"`, "b")).headers.get("etag"), '"v4"');
  const late = await edit(into, '"v2"', "c");
  assert.deepEqual([late.status, late.body.changed_fields], [412, ["comments"]]);
});

test("the feed shows a merge as such, and its undo as a creation of the whole record", async () => {
  const acme = await api.tenant();
  const { next } = ok(await acme.get("/crm/changes", { since: "now" })).body;
  const { into, old, mergeId } = await mergedPair(acme);
  ok(await acme.post(`${LEADS}/${into}/merges/${mergeId}/undo`));
  // An open transaction can delay the feed.
  const changes = await eventually(
    async () => ok(await acme.get("/crm/changes", { since: next })).body.changes as never[],
    ({ length }) => length === 6,
  );
  const told = changes.map(({ id, action, reason, version }: never) => [
    id,
    action,
    reason,
    version,
  ]);
  assert.deepEqual(told, [
    [into, "created", undefined, 1],
    [old, "created", undefined, 1],
    [old, "merged", undefined, 2],
    [into, "updated", undefined, 2],
    [into, "updated", undefined, 3],
    [old, "created", "restored", 3],
  ]);
  const { changed_fields } = changes[5] as never as { changed_fields: Record<string, unknown> };
  assert.deepEqual(changed_fields["external_id"], { old: null, new: "two" });
  assert.deepEqual(changed_fields["merged_into"], { old: into, new: null });
});

const textsOf = (list: Readonly<Record<string, string>>[]): string[] =>
  list.map(({ type, email, phone }) => `${type} ${email ?? phone}`);

test("an email or number that a merge brought finds the record and replaces nothing", async () => {
  const acme = await api.tenant();
  const a = { name: "Ada", email: "a@example.com", phone: "+1 212 555 0101" };
  const b = { name: "Ada", email: "b@example.com", phone: "+1 212 555 0102" };
  const into = ok(await acme.post(LEADS, a)).body;
  const old = ok(await acme.post(LEADS, b)).body;
  const merged = ok(await acme.post(`${LEADS}/${into._id}/merge`, { ids: [old._id] })).body;
  const { email_list, phone_list } = merged;
  assert.deepEqual(textsOf(email_list), ["Main a@example.com", "Other b@example.com"]);
  assert.deepEqual(textsOf(phone_list), ["Main 12125550101", "Other 12125550102"]);
  const writes = {
    "PUT by email": (comments: string) =>
      acme.put(`${LEADS}/by/email/B@example.com`, { ...b, comments }),
    "PUT by phone": (comments: string) =>
      acme.put(`${LEADS}/by/phone/2125550102`, { phone: "(212) 555-0102", comments }),
    POST: (comments: string) => acme.post(`${LEADS}?on_duplicate=update`, { ...b, comments }),
    batch: (comments: string) =>
      acme.post(`${LEADS}/batch?on_duplicate=update`, {
        items: [{ ...b, email: " b@example.com", comments }],
      }),
  };
  for (const [name, write] of Object.entries(writes)) {
    const { status, text } = await write(name);
    assert.ok(status === 200 || status === 207, text);
    const { body } = ok(await acme.get(`${LEADS}/${into._id}`));
    assert.deepEqual(
      [body.email, body.email_list, body.phone, body.phone_list, body.comments],
      [a.email, email_list, a.phone, phone_list, name],
    );
  }
  const patch = { email: "B@example.com", phone: "2125550102" };
  const { body } = ok(await acme.patch(`${LEADS}/${into._id}`, patch));
  assert.deepEqual(textsOf(body.email_list), ["Main B@example.com"]);
  assert.deepEqual(textsOf(body.phone_list), ["Main 12125550102"]);
});
