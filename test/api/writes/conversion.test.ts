/** A lead is converted to a contact exactly once: completely, or not at all. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE, type TenantId } from "../../../src/audit/index.ts";
import { systemClock } from "../../../src/platform/clock/index.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { transaction } from "../../../src/platform/database/index.ts";
import { clearReferences } from "../../../src/records/merge/index.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { fullBody, makeReferable, ok, whenFree } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
const NOBODY = "0".repeat(24);

const newLead = async (fields: object = {}) =>
  ok(await acme.post("/crm/leads", { name: "Ada Example", ...fields })).body;
const convert = (id: string, body?: object) => acme.post(`/crm/leads/${id}/convert`, body);

async function count(): Promise<Record<string, number>> {
  const [row] = await api.sql`
    select (select count(*)::int from contacts) as contacts, (select count(*)::int from accounts) as accounts,
           (select count(*)::int from deals) as deals, (select count(*)::int from changes) as changes`;
  return { ...row };
}

test("50 concurrent conversions create one contact, and all return its id", async () => {
  const { _id } = await newLead();
  const before = await count();
  const body = { account: { name: "Example Ltd" }, deal: { name: "First" } };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => whenFree(() => convert(_id, body))),
  );
  for (const answer of answers) assert.deepEqual(ok(answer).body, answers[0]?.body);
  const after = await count();
  const made = Object.keys(before).map((name) => (after[name] ?? 0) - (before[name] ?? 0));
  // A conversion creates a contact, an account and a deal. It adds one change entry for each of them and one for the
  // lead.
  assert.deepEqual(made, [1, 1, 1, 4]);
});

test("a contact has everything that the lead has, including its social security number", async () => {
  const sent = fullBody(BUILT_IN_TYPES.lead, 9, refs);
  const lead = await newLead({ ...sent, first_name: "A.", last_name: "E." });
  const { contact_id } = ok(await convert(lead._id)).body;
  const contact = ok(await acme.get(`/crm/contacts/${contact_id}?reveal=ssn`)).body;
  for (const name of Object.keys(BUILT_IN_TYPES.lead.fields)) {
    if (name !== "external_id" && name !== "ssn") assert.deepEqual(contact[name], lead[name], name);
  }
  assert.equal(contact.ssn, sent["ssn"]);
  assert.equal(contact.source_lead_id, lead._id);
  assert.equal(contact.external_id, null);
  const after = ok(await acme.get(`/crm/leads/${lead._id}`)).body;
  assert.deepEqual(
    [after.converted_to_contact, after.contact_id, after.version],
    [true, contact_id, 2],
  );
  assert.equal(after.status_update_date, lead.status_update_date);
});

test("the deal belongs to the new contact and to the account", async () => {
  const body = { account_id: refs["account"], deal: { name: "First", account_id: null } };
  const made = ok(await convert((await newLead())._id, body)).body;
  const deal = ok(await acme.get(`/crm/deals/${made.opportunity_id}`)).body;
  assert.deepEqual([deal.account_id, deal.contact_id], [refs["account"], made.contact_id]);
  assert.deepEqual([deal.account_name, deal.contact_name], ["The account", "Ada Example"]);
  const contact = ok(await acme.get(`/crm/contacts/${made.contact_id}`)).body;
  assert.equal(contact.account_id, refs["account"]);
});

ok(await acme.post("/crm/accounts", { name: "Taken", external_id: "taken" }));

const REFUSED: readonly (readonly [
  what: string,
  body: object,
  status: number,
  loc?: readonly string[],
])[] = [
  ["an account without a name", { account: {} }, 422, ["body", "account", "name"]],
  [
    "an account with an unknown member",
    { account: { name: "x", y: 1 } },
    422,
    ["body", "account", "y"],
  ],
  ["an account that is none", { account: 5 }, 422, ["body", "account"]],
  [
    "an account both ways",
    { account: { name: "x" }, account_id: refs["account"] },
    422,
    ["body", "account"],
  ],
  ["an account that is not there", { account_id: NOBODY }, 422, ["body", "account_id"]],
  ["an account whose external id is taken", { account: { name: "x", external_id: "taken" } }, 409],
  [
    "a deal with a wrong stage",
    { deal: { name: "x", stage: "won" } },
    422,
    ["body", "deal", "stage"],
  ],
  [
    "a deal of another contact",
    { deal: { name: "x", contact_id: refs["contact"] } },
    422,
    ["body", "deal", "contact_id"],
  ],
  [
    "a deal of an account that is not there",
    { deal: { name: "x", account_id: NOBODY } },
    422,
    ["body", "deal", "account_id"],
  ],
  [
    "a good account and a bad deal",
    { account: { name: "x" }, deal: { name: "x", account_id: NOBODY } },
    422,
    ["body", "deal", "account_id"],
  ],
  ["an unknown member", { contact: {} }, 422, ["body", "contact"]],
];

for (const [what, body, status, loc] of REFUSED) {
  test(`${what} is rejected, and nothing is half done`, async () => {
    const lead = await newLead();
    const before = await count();
    const answer = await convert(lead._id, body);
    assert.equal(answer.status, status, answer.text);
    if (loc !== undefined) assert.deepEqual(answer.body.detail[0].loc, loc);
    else assert.match(answer.body.existing_id, /^[0-9a-f]{24}$/);
    assert.deepEqual(await count(), before);
    assert.deepEqual(ok(await acme.get(`/crm/leads/${lead._id}`)).body, lead);
  });
}

test("a lead whose contact was erased can be converted again, and the change log contains what changed", async () => {
  const lead = await newLead();
  const { contact_id: erased } = ok(await convert(lead._id)).body;
  const tenantId = acme.tenantId as TenantId;
  await transaction(api.sql, (tx) =>
    clearReferences(
      {
        scope: { db: tx, tenantId, actor: SERVICE },
        deps: { makeId: idSource(systemClock()), participants: [] },
      },
      { name: "contact", ids: [erased], limit: 10 },
    ),
  );
  const { contact_id } = ok(await convert(lead._id)).body;
  const [entry] = ok(await acme.get(`/crm/leads/${lead._id}/history`)).body;
  assert.deepEqual(
    [entry.action, entry.fields],
    ["converted", { contact_id: { old: null, new: contact_id } }],
  );
});

test("a lead that does not exist returns 404", async () => {
  assert.equal((await convert(NOBODY)).status, 404);
  assert.equal((await convert("nobody", {})).status, 404);
});
