/** Attribution after a merge: a partner's earnings, imports and visible data do not change. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import { importPushed, partnerOf, reviewed, somebody } from "../exchange-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();

const merge = async (path: string, into: unknown, from: unknown) => {
  const answer = await acme.post(`${path}/${String(into)}/merge`, { ids: [from] });
  ok(answer);
  const undo = `${path}/${String(into)}/merges/${answer.headers.get("x-merge-id")}/undo`;
  return { body: answer.body as Body, undo: async () => ok(await acme.post(undo)).body as Body };
};
const analytics = async () => ok(await acme.get("/crm/admin/analytics")).body as Body;

test("a merged lead's partner moves over, its pushed lead names the survivor, earnings stay", async () => {
  const partner = await partnerOf(acme, { commission_rate: 10 });
  const person = somebody({ source: "Google", match_preferences: { wants: "tea" } });
  const pushed = await partner.push(person);
  const imported = await importPushed(acme, pushed.id);
  const { contact_id } = ok(await acme.post(`/crm/leads/${String(imported["_id"])}/convert`)).body;
  const sold = { name: "Sold", contact_id, stage: "closed_won", value_of_sale: 1000 };
  const deal = ok(await acme.post("/crm/opportunities", sold)).body;
  assert.equal(deal.partner_id, partner.partner_id);
  const before = await analytics();
  assert.equal(before["estimated_earnings"], 100);

  const own = ok(await acme.post("/crm/leads", { name: "Known", source: "Google" })).body;
  const { body, undo } = await merge("/crm/leads", own._id, imported["_id"]);
  assert.deepEqual(
    [body["partner_id"], body["pushed_lead_id"], body["match_preferences_dict"]],
    [partner.partner_id, pushed.id, { wants: "tea" }],
  );
  const told = await reviewed(acme, pushed.id);
  assert.equal(told["imported_lead_id"], own._id);
  assert.equal((told["history"] as Body[]).length, 3);
  const seen = ok(await partner.get("/crm/partner/leads")).body.leads as Body[];
  assert.deepEqual(
    seen.map(({ _id }) => _id),
    [own._id],
  );
  const kept = ok(await acme.post("/crm/contacts", { name: "Kept" })).body;
  await merge("/crm/contacts", kept._id, contact_id);
  assert.deepEqual(await analytics(), before);
  // A new deal with the surviving contact is attributed to the partner, just like a deal with the merged contact.
  const next = { name: "Next", contact_id };
  const later = ok(await acme.post("/crm/opportunities", next)).body;
  assert.deepEqual([later.contact_id, later.partner_id], [kept._id, partner.partner_id]);
  // Another partner's lead for the same person is imported later. The person is still attributed to the first partner.
  const second = await partnerOf(acme);
  const again = await importPushed(acme, (await second.push({ ...person })).id);
  const { contact_id: other } = ok(
    await acme.post(`/crm/leads/${String(again["_id"])}/convert`),
  ).body;
  const theirs = ok(await acme.get(`/crm/contacts/${other}`)).body;
  assert.equal(theirs.partner_id, partner.partner_id);

  const undone = await undo();
  assert.deepEqual([undone["partner_id"], undone["match_preferences_dict"]], [null, null]);
  assert.equal((await reviewed(acme, pushed.id))["imported_lead_id"], imported["_id"]);
});

test("what one partner sent about a person is not shown to another", async () => {
  const first = await partnerOf(acme);
  const second = await partnerOf(acme);
  const own = await importPushed(acme, (await first.push({ source: "Google" })).id);
  const preferences = { source: "Google", match_preferences: { secret: true } };
  const other = await importPushed(acme, (await second.push(preferences)).id);
  const { body } = await merge("/crm/leads", own["_id"], other["_id"]);
  assert.equal(body["partner_id"], first.partner_id);
  assert.equal(body["match_preferences_dict"], null);
});
