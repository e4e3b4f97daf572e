/** The partner operations and the states of a pushed lead: docs/partner-exchange.md. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contact, lead } from "./cases.ts";
import { assertBlames, assertRefused, create, idsOf, now, recordOf, type Row } from "./checks.ts";
import { filled, operationsOf, readDocument } from "../api/operations.ts";
import { movableClock } from "../kit/clock.ts";
import { startApi } from "../kit/api.ts";
import { sharedApi } from "../kit/file-api.ts";
import { showsSsn } from "../kit/ssn.ts";

const api = await sharedApi();
type Acme = Awaited<ReturnType<typeof api.tenant>>;
const JSON_BODY = { "content-type": "application/json" };
const ADMIN = "/crm/admin/pushed_leads";

/** Returns a partner of the tenant, and functions that send requests with its token. */
async function partnerOf(acme: Acme, settings: object = {}) {
  const made = recordOf(
    await acme.post("/crm/admin/partners", {
      name: "Referrals Ltd",
      can_push: true,
      allowed_marketing_sources: ["Referral", "Google"],
      commission_rate: 10,
      ...settings,
    }),
  );
  const { partner_id, access_code } = made;
  const path = "/crm/partner/token";
  const body = JSON.stringify({ partner_id, access_code });
  const login = { method: "POST", path, body, headers: { ...JSON_BODY, authorization: null } };
  const { access_token, ...rest } = recordOf(await acme.request(login));
  assert.deepEqual(rest, { token_type: "Partner", expires_in: 3600 });
  const headers = { authorization: `Partner ${access_token}` };
  return {
    partner_id: partner_id as string,
    get: (to: string) => acme.request({ method: "GET", path: to, headers }),
    post: (to: string, sent: object) =>
      acme.request({
        method: "POST",
        path: to,
        headers: { ...headers, ...JSON_BODY },
        body: JSON.stringify(sent),
      }),
  };
}

const ADA = { name: "Ada Lovelace", email: "ada@example.com", source: "Referral" };
const push = async (partner: Awaited<ReturnType<typeof partnerOf>>, fields: object = {}) =>
  recordOf(await partner.post("/crm/partner/push", { ...ADA, ...fields }));
const rowsIn = ({ body }: { body?: unknown }) => body as Row[];

// docs/partner-exchange.md#look-up-a-person
test("POST /crm/partner/lookup returns whether a person exists", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const look = async (given: object) => recordOf(await partner.post("/crm/partner/lookup", given));
  const nobody = { exists: false, name: null, active: false };
  assert.deepEqual(await look({ email: "ada@example.com" }), nobody);
  await create(acme, contact, { name: "Ada", email: "Ada@Example.com", phone: "2025550123" });
  const found = { exists: true, name: "Ada", active: true };
  assert.deepEqual(await look({ email: "ADA@example.com" }), found);
  assert.deepEqual(await look({ phone: "+1 (202) 555-0123" }), found);
  assertBlames(await partner.post("/crm/partner/lookup", {}), "body");
});

// docs/partner-exchange.md#look-up-a-person
test("a person of the lookup is active for 30 days", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { _id } = await create(acme, lead, { email: "ada@example.com" });
  const DAY = 86_400;
  for (const [days, active] of [
    [29, true],
    [31, false],
  ] as const) {
    const stamp = now() - days * DAY;
    const stamps = { created_ts: stamp, updated_ts: stamp, status_update_date: stamp };
    await api.restamp("leads", _id, stamps);
    const reply = await partner.post("/crm/partner/lookup", { email: "ada@example.com" });
    assert.equal(recordOf(reply)["active"], active, `${days} days`);
  }
});

// docs/partner-exchange.md#push-a-lead
test("POST /crm/partner/push adds the lead to the buffer as pending", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const made = await push(partner, { match_preferences: { language: "en" } });
  assert.equal(made["status"], "pending");
  assert.deepEqual(made["match_preferences"], { language: "en" });
  assert.ok(Math.abs(made["submitted_ts"] - now()) < 60);
  assert.deepEqual(idsOf(await acme.get("/crm/leads")), []);
  const silent = await partnerOf(acme, { name: "Silent", can_push: false });
  assertRefused(await silent.post("/crm/partner/push", ADA), 403);
  const again = await partner.post("/crm/partner/push", ADA);
  assertRefused(again, 409);
  assert.equal((again.body as Row)["existing_id"], made["id"]);
});

// docs/partner-exchange.md#follow-a-lead
test("GET /crm/partner/pushed lists the partner's own leads, newest first", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const other = await partnerOf(acme, { name: "Other" });
  const one = await push(partner);
  const two = await push(partner, { email: "two@example.com" });
  const rows = rowsIn(await partner.get("/crm/partner/pushed"));
  assert.deepEqual(
    rows.map(({ id }) => id),
    [two["id"], one["id"]],
  );
  assert.deepEqual(rowsIn(await other.get("/crm/partner/pushed")), []);
  assertRefused(await other.get(`/crm/partner/pushed/${one["id"]}`), 404);
});

// docs/partner-exchange.md#counts-and-earnings
test("GET /crm/partner/analytics returns counts of current states that add up", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const ids = [];
  for (const at of [1, 2, 3, 4])
    ids.push((await push(partner, { email: `a${at}@example.com` }))["id"]);
  await acme.post(`${ADMIN}/${ids[0]}/accept`, {});
  await acme.post(`${ADMIN}/${ids[1]}/reject`, { reason: "No budget" });
  await acme.post(`${ADMIN}/${ids[2]}/accept`, {});
  await acme.post(`${ADMIN}/${ids[2]}/import`, {});
  const told = recordOf(await partner.get("/crm/partner/analytics"));
  const counts = { pending_review: 1, accepted: 1, imported: 1, rejected: 1, expired: 0 };
  assert.deepEqual({ ...told, total_pushed: 4, ...counts, commission_rate: 10 }, told);
  assert.equal(told["estimated_earnings"], 0);
});

for (const type of [lead, contact]) {
  // docs/partner-exchange.md#list-leads-and-contacts
  test(`GET /crm/partner/${type.table} lists records of the allowed sources only`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google"] });
    const seen = await create(acme, type, {
      source: "Google",
      ssn: "123-45-6789",
      comments: "hush",
    });
    await create(acme, type, { source: "Yelp" });
    const reply = await partner.get(`/crm/partner/${type.table}`);
    assert.deepEqual(idsOf(reply), [seen["_id"]]);
    assert.ok(!showsSsn(reply.text) && !reply.text.includes("hush"));
    const none = await partnerOf(acme, { name: "None", allowed_marketing_sources: [] });
    assert.deepEqual(idsOf(await none.get(`/crm/partner/${type.table}`)), []);
  });
}

// docs/partner-exchange.md#review
test("a pending lead is accepted, then imported, logged with times", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { id } = await push(partner, { comments: "Call at noon", description: "Looms" });
  assert.equal(recordOf(await acme.post(`${ADMIN}/${id}/accept`, {}))["status"], "accepted");
  const imported = recordOf(await acme.post(`${ADMIN}/${id}/import`, {}));
  assert.equal(imported["status"], "imported");
  const [made] = recordOf(await acme.get("/crm/leads"))["leads"];
  assert.equal(made["_id"], imported["imported_lead_id"]);
  assert.deepEqual(
    [made["comments"], made["business_need_description"]],
    ["Call at noon", "Looms"],
  );
  assert.deepEqual([made["pushed_lead_id"], made["partner_id"]], [id, partner.partner_id]);
  const { history } = recordOf(await partner.get(`/crm/partner/pushed/${id}`));
  const steps = history.map(({ to, by }: Row) => `${to} by ${by}`);
  assert.deepEqual(steps.slice(-2), ["accepted by tenant", "imported by tenant"]);
});

// docs/partner-exchange.md#review
test("a rejection stores a reason, which the partner sees", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { id } = await push(partner);
  assertBlames(await acme.post(`${ADMIN}/${id}/reject`, {}), "body", "reason");
  const reply = await acme.post(`${ADMIN}/${id}/reject`, { reason: "No budget" });
  assert.equal(recordOf(reply)["status"], "rejected");
  const told = recordOf(await partner.get(`/crm/partner/pushed/${id}`));
  assert.deepEqual([told["status"], told["rejection_reason"]], ["rejected", "No budget"]);
});

// docs/partner-exchange.md#expiration
test("a pending lead expires when its expiration date has passed", async (t) => {
  const clock = movableClock();
  const acme = await (await startApi(t, { clock })).tenant();
  const partner = await partnerOf(acme);
  const { id } = await push(partner, { expiration_date: now() + 600 });
  clock.forward_s(700);
  assert.equal(recordOf(await partner.get(`/crm/partner/pushed/${id}`))["status"], "expired");
  assertRefused(await acme.post(`${ADMIN}/${id}/accept`, {}), 409);
  const past = { ...ADA, expiration_date: now() - 60 };
  assertBlames(await partner.post("/crm/partner/push", past), "body", "expiration_date");
});

// docs/partner-exchange.md#review
test("every other transition of a pushed lead returns 409 with its state", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const moves = { accept: {}, reject: { reason: "x" }, import: {} };
  const paths: Record<string, string[]> = {
    pending: [],
    accepted: ["accept"],
    imported: ["accept", "import"],
    rejected: ["reject"],
  };
  const open: Record<string, string[]> = { pending: ["accept", "reject"], accepted: ["import"] };
  for (const [state, path] of Object.entries(paths)) {
    const { id } = await push(partner, { email: `${state}@example.com` });
    for (const move of path) {
      await acme.post(`${ADMIN}/${id}/${move}`, moves[move as keyof typeof moves]);
    }
    for (const [move, body] of Object.entries(moves)) {
      if (open[state]?.includes(move)) continue;
      const reply = await acme.post(`${ADMIN}/${id}/${move}`, body);
      assertRefused(reply, 409);
      assert.equal((reply.body as Row)["status"], state);
    }
  }
});

// docs/requests.md#credentials
test("neither API takes the other API's scheme", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  assertRefused(await partner.get("/crm/leads"), 401);
  assertRefused(await acme.get("/crm/partner/pushed"), 401);
});

// docs/event-webhooks.md#for-partners
test("no read and no replay of a partner depends on the leads of other partners", async () => {
  const acme = await api.tenant();
  const own = await partnerOf(acme);
  const other = await partnerOf(acme);
  const told = { url: "https://hooks.example.com/", events: ["pushed_lead.*"] };
  const makeWebhook = async () => recordOf(await own.post("/crm/partner/webhooks", told))["id"];
  const webhooks = [await makeWebhook(), await makeWebhook()];
  const ids: Row = { partner_webhook_id: webhooks[0], pushed_lead_id: (await push(own))["id"] };
  const paths = operationsOf(await readDocument(acme), "PartnerToken")
    .filter(({ method }) => method === "GET")
    .map(({ path }) => filled(path, (name) => String(ids[name])));
  const seen = async () => {
    const texts = await Promise.all(
      paths.map(async (path) => `${path} ${(await own.get(path)).text}`),
    );
    // A replay changes what its webhook shows, so it starts only now.
    const range = { start_date: now() - 600, end_date: now() + 600 };
    const replayed = await own.post(`/crm/partner/webhooks/${webhooks.pop()}/replay`, range);
    return [...texts, recordOf(replayed)["changes"]];
  };
  const before = await seen();
  for (const email of ["1@example.com", "2@example.com"]) await push(other, { email });
  assert.deepEqual(await seen(), before);
  assert.ok(before.length > 9);
});
