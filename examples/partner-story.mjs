#!/usr/bin/env node
// The whole story of a partner's lead, played against a running service, each answer checked:
// a tenant makes a partner; the partner gets a token, looks a person up and pushes it; the tenant
// reviews, accepts and imports it; the lead is converted, the deal is won; both see the commission.
//
//   node examples/partner-story.mjs [URL] [TOKEN]

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const HELP = `Plays the story of a partner's lead against a running service and checks each answer.

Usage: node examples/partner-story.mjs [URL] [TOKEN]

  URL    where the service runs; http://127.0.0.1:8080 by default
  TOKEN  an access token with the permission admin; by default what stands in data/owner-token

It leaves its partner, lead, contact and deal behind, under names of their own.
Exit code: 0 when all went as told, 1 when something did not, 2 for wrong use.`;

/** Something did not go as told; the message says what, in one line. */
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
const [url = "http://127.0.0.1:8080", given] = words;
const token = given ?? ownerToken();
const run = Date.now().toString(36);

function ownerToken() {
  try {
    return readFileSync("data/owner-token", "utf8").trim();
  } catch {
    throw new Mismatch("There is no data/owner-token here: give the URL and a token");
  }
}

/** Fails with what is compared, what it is and what it had to be. */
function check(what, actual, expected) {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Mismatch(
    `${what}: it is ${JSON.stringify(actual)} and had to be ${JSON.stringify(expected)}`,
  );
}

/** Asks as the holder of a credential; the parsed answer, whose status has to be the expected one. */
async function ask(authorization, method, path, body, expected = 200) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error) => {
    const { message } = error.cause ?? error;
    throw new Mismatch(`${url} cannot be reached: ${message}`);
  });
  const text = await answer.text();
  if (answer.status === expected) return JSON.parse(text);
  const hint = answer.status === 401 ? " (is the token right?)" : "";
  throw new Mismatch(
    `${method} ${path} answered ${answer.status}, not ${expected}: ${text}${hint}`,
  );
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
check("a new partner's status", made.status, "active");
check("an access code", typeof made.access_code, "string");
const told = await tenant("GET", `/crm/admin/partners/${made.partner_id}`);
check("the code, told again", told.access_code, undefined);
step(`the tenant made the partner ${made.partner_id}; its access code was shown once`);

// The partner changes its code for a token.
const { partner_id, access_code } = made;
const issued = await ask(undefined, "POST", "/crm/partner/token", { partner_id, access_code });
check("the token's type", issued.token_type, "Partner");
check("its seconds", issued.expires_in, 3600);
const partner = (method, path, body, expected) =>
  ask(`Partner ${issued.access_token}`, method, path, body, expected);
await ask(undefined, "POST", "/crm/partner/token", { partner_id, access_code: "wrong" }, 401);
step("the partner has a token for an hour; a wrong code gets none");

const me = await partner("GET", "/crm/partner/me");
check("its sources", me.allowed_marketing_sources, ["Referral", "Linkedin"]);
check("its rate", me.commission_rate, 7.5);

// It asks whether the person is known already, and pushes the lead.
const email = `ines.falk.${run}@example.com`;
const nobody = await partner("POST", "/crm/partner/lookup", { email });
check("nobody", nobody, { exists: false, name: null, active: false });
step(`nobody is known by ${email}`);

const pushed = await partner("POST", "/crm/partner/push", {
  name: "Ines Falk",
  email,
  source: "Referral",
  comments: "Met at the boat show",
  description: "Wants to berth two boats",
  match_preferences: { berths: 2 },
});
check("a pushed lead's status", pushed.status, "pending");
check("what a partner is told of duplicates", pushed.possible_duplicate, undefined);
const again = await partner("POST", "/crm/partner/push", { name: "Ines Falk", email }, 409);
check("the earlier push", again.existing_id, pushed.id);
await partner("POST", "/crm/partner/push", { name: "Nobody", source: "Referral" }, 422);
await partner("POST", "/crm/partner/push", { name: "Odd", email, source: "Yelp" }, 422);
step(`the partner pushed ${pushed.id}; a second push of the same person is refused`);

// The tenant reviews it.
const review = "/crm/admin/pushed_leads";
const waiting = await tenant("GET", `${review}?status=pending&partner_id=${partner_id}`);
check(
  "what waits",
  waiting.map(({ id }) => id),
  [pushed.id],
);
check("a possible duplicate", waiting[0].possible_duplicate, false);
await tenant("POST", `${review}/${pushed.id}/import`, undefined, 409);
const accepted = await tenant("POST", `${review}/${pushed.id}/accept`);
check("its status", accepted.status, "accepted");
const imported = await tenant("POST", `${review}/${pushed.id}/import`);
check("its status", imported.status, "imported");
step(`the tenant accepted and imported it: lead ${imported.imported_lead_id}`);

const lead = await tenant("GET", `/crm/leads/${imported.imported_lead_id}`);
check("who brought the lead", lead.partner_id, partner_id);
check("the push it came from", lead.pushed_lead_id, pushed.id);
check("what it needs", lead.business_need_description, "Wants to berth two boats");
check("its preferences", lead.match_preferences_dict, { berths: 2 });

// The partner follows: the state, each step, and the lead, which is of one of its sources.
const followed = await partner("GET", `/crm/partner/pushed/${pushed.id}`);
check("the status its partner sees", followed.status, "imported");
check(
  "each step",
  followed.history.slice(-2).map(({ from, to, by }) => `${from} → ${to} by ${by}`),
  ["pending → accepted by tenant", "accepted → imported by tenant"],
);
const filter = JSON.stringify({ email_list: email });
const seen = await partner(
  "GET",
  `/crm/partner/leads?match_filter_dict=${encodeURIComponent(filter)}`,
);
check(
  "the leads its partner sees",
  seen.leads.map(({ _id }) => _id),
  [lead._id],
);
check("its comments there", seen.leads[0].comments, undefined);
check("its ssn there", seen.leads[0].ssn, undefined);
const known = await partner("POST", "/crm/partner/lookup", { email: email.toUpperCase() });
check("the person", known, { exists: true, name: "Ines Falk", active: true });
step("the partner follows it, step by step");

// The lead becomes a contact with a deal, and the deal is won.
const converted = await tenant("POST", `/crm/leads/${lead._id}/convert`, {
  deal: { name: `Two berths ${run}`, value_of_sale: 12345.67 },
});
const contact = await tenant("GET", `/crm/contacts/${converted.contact_id}`);
check("who brought the contact", contact.partner_id, partner_id);
const deal = `/crm/opportunities/${converted.opportunity_id}`;
check("who is paid for the deal", (await tenant("GET", deal)).partner_id, partner_id);
const before = await partner("GET", "/crm/partner/analytics");
check("earnings of an open deal", before.estimated_earnings, 0);
// The rate that counts is that of the day on which the deal was made.
await tenant("PATCH", `/crm/admin/partners/${partner_id}`, { commission_rate: 1 });
await tenant("PATCH", deal, { stage: "closed_won" });
step(`the lead was converted, and its deal ${converted.opportunity_id} won`);

// Both sides see the same: 7.5 % of 12,345.67, half to even.
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
check("what the partner counts", await partner("GET", "/crm/partner/analytics"), expected);
const path = `/crm/admin/analytics?partner_id=${partner_id}`;
check("what the tenant counts", await tenant("GET", path), expected);
await tenant("PATCH", deal, { stage: "negotiation_review" });
const reopened = await partner("GET", "/crm/partner/analytics");
check("earnings of a deal opened again", reopened.estimated_earnings, 0);
await tenant("PATCH", deal, { stage: "closed_won" });
step(`both see a commission of ${expected.estimated_earnings} ${me.currency}`);

// A suspended partner's token ends at once.
await tenant("PATCH", `/crm/admin/partners/${partner_id}`, { status: "suspended" });
await partner("GET", "/crm/partner/me", undefined, 401);
step("suspended, the partner's token is worth nothing");
