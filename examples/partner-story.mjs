#!/usr/bin/env node
// Plays the whole story of a partner's lead against a running service and checks every response:
// the tenant creates a partner; the partner gets a token, looks up a person and pushes a lead; the tenant
// accepts and imports it; the lead is converted and the deal is won; both see the commission.
//
//   node examples/partner-story.mjs [URL] [TOKEN]

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const HELP = `Plays the story of a partner's lead against a running service and checks every response.

Usage: node examples/partner-story.mjs [URL] [TOKEN]

  URL    where the service runs; by default LEADPORT_URL, or http://127.0.0.1:8080
  TOKEN  an access token with the permission admin; by default the content of data/owner-token

The partner, lead, contact and deal it creates have unique names and are not deleted.
Exit codes: 0 for success, 1 for an unexpected response, 2 for wrong usage.`;

/** An unexpected result. The message is one line. */
class Mismatch extends Error {}

process.on("uncaughtException", (error) => {
  console.error(error instanceof Mismatch ? `✗ ${error.message}` : error);
  process.exit(1);
});

const words = process.argv.slice(2);
if (words.includes("--help") || words.includes("-h")) {
  console.log(HELP);
  process.exit(0);
}
if (words.length > 2 || words.some((word) => word.startsWith("-"))) {
  console.error(HELP);
  process.exit(2);
}
const [url = process.env.LEADPORT_URL ?? "http://127.0.0.1:8080", given] = words;
const token = given ?? ownerToken();
const run = Date.now().toString(36);

function ownerToken() {
  try {
    return readFileSync("data/owner-token", "utf8").trim();
  } catch {
    throw new Mismatch("There is no data/owner-token here. Pass the URL and a token");
  }
}

/** Throws if a value is not the expected one. */
function check(what, actual, expected) {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Mismatch(
    `${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`,
  );
}

/** Sends a request with a credential and returns the parsed response. Throws if its status is not the expected one. */
async function send(authorization, method, path, body, expected = 200) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error) => {
    const { message } = error.cause ?? error;
    throw new Mismatch(
      `${url} cannot be reached: ${message}. To use another address, pass it as the first argument`,
    );
  });
  const text = await response.text();
  if (response.status === expected) return JSON.parse(text);
  const hint = response.status === 401 ? " (is the token correct?)" : "";
  throw new Mismatch(
    `${method} ${path} returned ${response.status}, not ${expected}: ${text}${hint}`,
  );
}
const tenant = (method, path, body, expected) =>
  send(`Bearer ${token}`, method, path, body, expected);
const step = (sentence) => console.log(`✓ ${sentence}`);

// The tenant creates a partner. Only this response contains its access code.
const created = await tenant("POST", "/crm/admin/partners", {
  name: `Harbour Referrals ${run}`,
  allowed_marketing_sources: ["Referral", "Linkedin"],
  commission_rate: 7.5,
});
check("status of a new partner", created.status, "active");
check("access code", typeof created.access_code, "string");
const shown = await tenant("GET", `/crm/admin/partners/${created.partner_id}`);
check("access code, read again", shown.access_code, undefined);
step(`The tenant created the partner ${created.partner_id}. Its access code was shown once`);

// The partner exchanges its access code for a token.
const { partner_id, access_code } = created;
const issued = await send(undefined, "POST", "/crm/partner/token", { partner_id, access_code });
check("token type", issued.token_type, "Partner");
check("seconds", issued.expires_in, 3600);
const partner = (method, path, body, expected) =>
  send(`Partner ${issued.access_token}`, method, path, body, expected);
await send(undefined, "POST", "/crm/partner/token", { partner_id, access_code: "wrong" }, 401);
step("The partner has a token for an hour. A wrong access code is rejected");

const me = await partner("GET", "/crm/partner/me");
check("allowed sources", me.allowed_marketing_sources, ["Referral", "Linkedin"]);
check("commission rate", me.commission_rate, 7.5);

// The partner checks whether the person is known, and pushes the lead.
const email = `ines.falk.${run}@example.com`;
const unknown = await partner("POST", "/crm/partner/lookup", { email });
check("unknown person", unknown, { exists: false, name: null, active: false });
step(`${email} is not known yet`);

const pushed = await partner("POST", "/crm/partner/push", {
  name: "Ines Falk",
  email,
  source: "Referral",
  comments: "Met at the boat show",
  description: "Wants to berth two boats",
  match_preferences: { berths: 2 },
});
check("status of a pushed lead", pushed.status, "pending");
check("possible_duplicate, which partners do not see", pushed.possible_duplicate, undefined);
const again = await partner("POST", "/crm/partner/push", { name: "Ines Falk", email }, 409);
check("the earlier push", again.existing_id, pushed.id);
await partner("POST", "/crm/partner/push", { name: "Nobody", source: "Referral" }, 422);
await partner("POST", "/crm/partner/push", { name: "Odd", email, source: "Yelp" }, 422);
step(`The partner pushed ${pushed.id}. A second push of the same person is rejected`);

// The tenant reviews it.
const review = "/crm/admin/pushed_leads";
const pending = await tenant("GET", `${review}?status=pending&partner_id=${partner_id}`);
check(
  "pending leads",
  pending.map(({ id }) => id),
  [pushed.id],
);
check("possible duplicate", pending[0].possible_duplicate, false);
await tenant("POST", `${review}/${pushed.id}/import`, undefined, 409);
const accepted = await tenant("POST", `${review}/${pushed.id}/accept`);
check("status", accepted.status, "accepted");
const imported = await tenant("POST", `${review}/${pushed.id}/import`);
check("status", imported.status, "imported");
step(`The tenant accepted and imported it as lead ${imported.imported_lead_id}`);

const lead = await tenant("GET", `/crm/leads/${imported.imported_lead_id}`);
check("partner of the lead", lead.partner_id, partner_id);
check("pushed lead of the lead", lead.pushed_lead_id, pushed.id);
check("business need", lead.business_need_description, "Wants to berth two boats");
check("preferences", lead.match_preferences_dict, { berths: 2 });

// The partner follows the lead: its status, its history, and the lead in the CRM, which has one of its sources.
const followed = await partner("GET", `/crm/partner/pushed/${pushed.id}`);
check("status for the partner", followed.status, "imported");
check(
  "history",
  followed.history.slice(-2).map(({ from, to, by }) => `${from} → ${to} by ${by}`),
  ["pending → accepted by tenant", "accepted → imported by tenant"],
);
const filter = JSON.stringify({ email_list: email });
const seen = await partner(
  "GET",
  `/crm/partner/leads?match_filter_dict=${encodeURIComponent(filter)}`,
);
check(
  "leads for the partner",
  seen.leads.map(({ _id }) => _id),
  [lead._id],
);
check("comments for the partner", seen.leads[0].comments, undefined);
check("ssn for the partner", seen.leads[0].ssn, undefined);
const known = await partner("POST", "/crm/partner/lookup", { email: email.toUpperCase() });
check("known person", known, { exists: true, name: "Ines Falk", active: true });
step("The partner sees every step");

// The lead becomes a contact with a deal, and the deal is won.
const converted = await tenant("POST", `/crm/leads/${lead._id}/convert`, {
  deal: { name: `Two berths ${run}`, value_of_sale: 12345.67 },
});
const contact = await tenant("GET", `/crm/contacts/${converted.contact_id}`);
check("partner of the contact", contact.partner_id, partner_id);
const deal = `/crm/opportunities/${converted.opportunity_id}`;
check("partner of the deal", (await tenant("GET", deal)).partner_id, partner_id);
const before = await partner("GET", "/crm/partner/analytics");
check("earnings with an open deal", before.estimated_earnings, 0);
// A new rate does not affect existing deals.
await tenant("PATCH", `/crm/admin/partners/${partner_id}`, { commission_rate: 1 });
await tenant("PATCH", deal, { stage: "closed_won" });
step(`The lead was converted, and its deal ${converted.opportunity_id} was won`);

// Both sides see the same: 7.5% of 12,345.67, rounded half-even.
const counts = {
  total_pushed: 1,
  pending_review: 0,
  accepted: 0,
  imported: 1,
  rejected: 0,
  expired: 0,
};
const expected = {
  ...counts,
  commission_rate: 1,
  currency: me.currency,
  estimated_earnings: 925.93,
};
check("analytics of the partner", await partner("GET", "/crm/partner/analytics"), expected);
const path = `/crm/admin/analytics?partner_id=${partner_id}`;
check("analytics of the tenant", await tenant("GET", path), expected);
await tenant("PATCH", deal, { stage: "negotiation_review" });
const reopened = await partner("GET", "/crm/partner/analytics");
check("earnings after reopening the deal", reopened.estimated_earnings, 0);
await tenant("PATCH", deal, { stage: "closed_won" });
step(`Both see a commission of ${expected.estimated_earnings} ${me.currency}`);

// A suspension ends the partner's tokens immediately.
await tenant("PATCH", `/crm/admin/partners/${partner_id}`, { status: "suspended" });
await partner("GET", "/crm/partner/me", undefined, 401);
step("The token of the suspended partner no longer works");
