#!/usr/bin/env node
// The whole story of a partner's lead, played against a running service, each answer checked:
// a tenant makes a partner; the partner gets a token, looks a person up and pushes it; the tenant
// reviews, accepts and imports it; the lead is converted, the deal is won; both see the commission.
//
//   node examples/partner-story.mjs [URL] [TOKEN]
//
// URL is http://127.0.0.1:8080 and TOKEN what stands in data/owner-token where they are not given.
// It leaves its partner, lead, contact and deal behind, under names of its own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [url = "http://127.0.0.1:8080", given] = process.argv.slice(2);
const token = given ?? readFileSync("data/owner-token", "utf8").trim();
const run = Date.now().toString(36);

/** Asks as the holder of a credential; the parsed answer, whose status has to be the expected one. */
async function ask(authorization, method, path, body, expected = 200) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const told = await answer.json();
  assert.equal(answer.status, expected, `${method} ${path}: ${JSON.stringify(told)}`);
  return told;
}
const tenant = (method, path, body, expected) =>
  ask(`Bearer ${token}`, method, path, body, expected);
const step = (sentence) => console.log(`✓ ${sentence}`);

// The tenant makes a partner. Its access code is shown this once.
const made = await tenant("POST", "/crm/admin/partners", {
  name: `Harbour Referrals ${run}`,
  allowed_marketing_sources: ["Referral", "Linkedin"],
  commission_rate: 7.5,
});
assert.equal(made.status, "active");
assert.ok(made.access_code);
const told = await tenant("GET", `/crm/admin/partners/${made.partner_id}`);
assert.ok(!("access_code" in told));
step(`the tenant made the partner ${made.partner_id}; its access code was shown once`);

// The partner changes its code for a token.
const { partner_id, access_code } = made;
const issued = await ask(undefined, "POST", "/crm/partner/token", { partner_id, access_code });
assert.equal(issued.token_type, "Partner");
assert.equal(issued.expires_in, 3600);
const partner = (method, path, body, expected) =>
  ask(`Partner ${issued.access_token}`, method, path, body, expected);
await ask(undefined, "POST", "/crm/partner/token", { partner_id, access_code: "wrong" }, 401);
step("the partner has a token for an hour; a wrong code gets none");

const me = await partner("GET", "/crm/partner/me");
assert.deepEqual(me.allowed_marketing_sources, ["Referral", "Linkedin"]);
assert.equal(me.commission_rate, 7.5);

// It asks whether the person is known already, and pushes the lead.
const email = `ines.falk.${run}@example.com`;
const nobody = await partner("POST", "/crm/partner/lookup", { email });
assert.deepEqual(nobody, { exists: false, name: null, active: false });
step(`nobody is known by ${email}`);

const pushed = await partner("POST", "/crm/partner/push", {
  name: "Ines Falk",
  email,
  source: "Referral",
  comments: "Met at the boat show",
  description: "Wants to berth two boats",
  match_preferences: { berths: 2 },
});
assert.equal(pushed.status, "pending");
assert.ok(!("possible_duplicate" in pushed));
const again = await partner("POST", "/crm/partner/push", { name: "Ines Falk", email }, 409);
assert.equal(again.existing_id, pushed.id);
await partner("POST", "/crm/partner/push", { name: "Nobody", source: "Referral" }, 422);
await partner("POST", "/crm/partner/push", { name: "Odd", email, source: "Yelp" }, 422);
step(`the partner pushed ${pushed.id}; a second push of the same person is refused`);

// The tenant reviews it.
const review = "/crm/admin/pushed_leads";
const waiting = await tenant("GET", `${review}?status=pending&partner_id=${partner_id}`);
assert.deepEqual(
  waiting.map(({ id }) => id),
  [pushed.id],
);
assert.equal(waiting[0].possible_duplicate, false);
await tenant("POST", `${review}/${pushed.id}/import`, undefined, 409);
const accepted = await tenant("POST", `${review}/${pushed.id}/accept`);
assert.equal(accepted.status, "accepted");
const imported = await tenant("POST", `${review}/${pushed.id}/import`);
assert.equal(imported.status, "imported");
step(`the tenant accepted and imported it: lead ${imported.imported_lead_id}`);

const lead = await tenant("GET", `/crm/leads/${imported.imported_lead_id}`);
assert.equal(lead.partner_id, partner_id);
assert.equal(lead.pushed_lead_id, pushed.id);
assert.equal(lead.business_need_description, "Wants to berth two boats");
assert.deepEqual(lead.match_preferences_dict, { berths: 2 });

// The partner follows: the state, each step, and the lead, which is of one of its sources.
const followed = await partner("GET", `/crm/partner/pushed/${pushed.id}`);
assert.equal(followed.status, "imported");
assert.deepEqual(
  followed.history.slice(-2).map(({ from, to, by }) => `${from} → ${to} by ${by}`),
  ["pending → accepted by tenant", "accepted → imported by tenant"],
);
const seen = await partner("GET", `/crm/partner/leads?page_size=1`);
assert.equal(seen.leads[0]._id, lead._id);
assert.ok(!("comments" in seen.leads[0]) && !("ssn" in seen.leads[0]));
const known = await partner("POST", "/crm/partner/lookup", { email: email.toUpperCase() });
assert.deepEqual(known, { exists: true, name: "Ines Falk", active: true });
step("the partner follows it, step by step");

// The lead becomes a contact with a deal, and the deal is won.
const converted = await tenant("POST", `/crm/leads/${lead._id}/convert`, {
  deal: { name: `Two berths ${run}`, value_of_sale: 12345.67 },
});
const contact = await tenant("GET", `/crm/contacts/${converted.contact_id}`);
assert.equal(contact.partner_id, partner_id);
const deal = `/crm/opportunities/${converted.opportunity_id}`;
assert.equal((await tenant("GET", deal)).partner_id, partner_id);
const before = await partner("GET", "/crm/partner/analytics");
assert.equal(before.estimated_earnings, 0);
// The rate that counts is that of the day on which the deal was made.
await tenant("PATCH", `/crm/admin/partners/${partner_id}`, { commission_rate: 1 });
await tenant("PATCH", deal, { stage: "closed_won" });
step(`the lead was converted, and its deal ${converted.opportunity_id} won`);

// Both sides see the same: 7.5 % of 12,345.67, half to even.
const counts = { total_pushed: 1, pending_review: 0, accepted: 0, imported: 1, rejected: 0, expired: 0 };
const expected = { ...counts, commission_rate: 1, currency: me.currency, estimated_earnings: 925.93 };
assert.deepEqual(await partner("GET", "/crm/partner/analytics"), expected);
const path = `/crm/admin/analytics?partner_id=${partner_id}`;
assert.deepEqual(await tenant("GET", path), expected);
await tenant("PATCH", deal, { stage: "negotiation_review" });
assert.equal((await partner("GET", "/crm/partner/analytics")).estimated_earnings, 0);
await tenant("PATCH", deal, { stage: "closed_won" });
step(`both see a commission of ${expected.estimated_earnings} ${me.currency}`);

// A suspended partner's token ends at once.
await tenant("PATCH", `/crm/admin/partners/${partner_id}`, { status: "suspended" });
await partner("GET", "/crm/partner/me", undefined, 401);
step("suspended, the partner's token is worth nothing");
