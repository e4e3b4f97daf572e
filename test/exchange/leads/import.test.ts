/** Importing an accepted lead: the CRM lead gets the right values, and an import is never left incomplete. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../../api/samples.ts";
import { makeDelivery } from "../../delivery/stored.ts";
import { DELIVERIES } from "../callouts/callout-kit.ts";
import {
  decide,
  importPushed,
  movesLogged,
  partnerOf,
  refused,
  REVIEW,
  reviewed,
} from "../exchange-kit.ts";

const api = await fileApi();
const acme = await api.tenant();
const partner = await partnerOf(acme);

const FULL = {
  name: "Ada King Example",
  email: "Ada.King@Example.com",
  phone: "(555) 555-0100",
  source: "Google",
  comments: "Call at noon",
  description: "Wants “looms”, soon",
  match_preferences: { city: "Leeds", rooms: [1, 2], "a key": { deep: null } },
};

test("the lead has everything that was pushed, under the names of leads", async () => {
  const { id } = await partner.push(FULL);
  const made = await importPushed(acme, id);
  const expected = {
    name: FULL.name,
    first_name: "Ada King",
    last_name: "Example",
    email: FULL.email,
    phone: FULL.phone,
    source: "Google",
    lead_source: "Google",
    status: "assigned",
    lead_status: "assigned",
    comments: FULL.comments,
    business_need_description: FULL.description,
    match_preferences_dict: FULL.match_preferences,
    partner_id: partner.partner_id,
    pushed_lead_id: id,
    converted_to_contact: false,
    ssn: null,
    tags: [],
    version: 1,
  };
  assert.deepEqual({ ...made, ...expected }, made);
  assert.deepEqual(
    [(made["email_list"] as Body[])[0]?.["email"], (made["phone_list"] as Body[])[0]?.["phone"]],
    [FULL.email, "15555550100"],
  );
});

test("a lead with few pushed values becomes a lead like any other with few values", async () => {
  const { id } = await partner.push({ email: undefined, phone: "call me" });
  const { source: _, partner_id, pushed_lead_id, ...made } = await importPushed(acme, id);
  assert.deepEqual([partner_id, pushed_lead_id], [partner.partner_id, id]);
  const body = { name: "Ada Example", phone: "call me", source: "Referral" };
  const plain = ok(await acme.post("/crm/leads", body)).body as Body;
  const differs = Object.keys(made).filter(
    (name) => JSON.stringify(made[name]) !== JSON.stringify(plain[name]),
  );
  const own = new Set(["_id", "id", "created_ts", "created_date", "updated_ts", "updated_date"]);
  const stamps = new Set([...own, "status_update_date", "status_updated_date"]);
  assert.deepEqual(
    differs.filter((name) => !stamps.has(name)),
    [],
  );
});

test("the importing user owns the lead, and both logs show who did what", async () => {
  const reviewer = await acme.token(["exchange:review"]);
  const { id } = await partner.push();
  ok(await decide(acme, id, "accept"));
  const { imported_lead_id } = ok(await decide(reviewer, id, "import")).body;
  const made = ok(await acme.get(`/crm/leads/${imported_lead_id}`)).body;
  assert.deepEqual([made.userid, made.created_by_userid], [acme.personId, acme.personId]);
  const [created, ...others] = ok(await acme.get(`/crm/leads/${imported_lead_id}/history`)).body;
  assert.deepEqual([created.action, others], ["created", []]);
  const audit = ok(await acme.get("/crm/admin/audit", { subject_id: id })).body;
  const [imported, accepted, pushed] = audit;
  assert.deepEqual(
    [imported, accepted, pushed].map(({ action, actor }) => [action, actor.kind, actor.name]),
    [
      ["imported", "token", "Owner"],
      ["accepted", "token", "Owner"],
      ["pushed", "partner", "Referrals Ltd"],
    ],
  );
  assert.equal(audit.length, 3);
  assert.notEqual(imported.actor.id, accepted.actor.id);
  assert.deepEqual(imported.fields.imported_lead_id, { old: null, new: imported_lead_id });
  assert.deepEqual(created.actor, imported.actor);
  assert.equal(created.request_id, imported.request_id);
});

test("the lead is in the tenant's lists, and not in another tenant's", async () => {
  const { id } = await partner.push();
  const { _id } = await importPushed(acme, id);
  const [newest] = recordsIn(ok(await acme.get("/crm/leads/created")));
  assert.equal(newest?.["_id"], _id);
  assert.deepEqual(recordsIn(ok(await (await api.tenant()).get("/crm/leads"))), []);
});

test("a second import creates no second lead, and names the first", async () => {
  const { id } = await partner.push();
  const { _id } = await importPushed(acme, id);
  const again = refused(await decide(acme, id, "import"), 409);
  assert.deepEqual([again["status"], again["imported_lead_id"]], ["imported", _id]);
  assert.equal(await movesLogged(api.sql, id), 3);
});

const NOT_YET = { pending: [], rejected: ["reject"] } as const;

for (const [state, words] of Object.entries(NOT_YET)) {
  test(`a lead that is ${state} is not imported`, async () => {
    const { id } = await partner.push();
    for (const word of words) ok(await decide(acme, id, word));
    const before = recordsIn(ok(await acme.get("/crm/leads"))).length;
    assert.equal(refused(await decide(acme, id, "import"), 409)["status"], state);
    assert.equal(recordsIn(ok(await acme.get("/crm/leads"))).length, before);
  });
}

/** The tables that an import writes to. */
const WRITTEN = ["leads", "changes", "attributions", "pushed_leads"] as const;

const contents = async (): Promise<unknown> => {
  const found: Record<string, unknown> = {};
  for (const table of WRITTEN) {
    found[table] = await api.sql`select to_jsonb(t) as row from ${api.sql(table)} t order by 1`;
  }
  return found;
};

/** Runs `work` while every insert or update of a table fails. */
async function whileFailing(table: string, event: string, work: () => Promise<void>) {
  await api.sql.unsafe(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is on fire'; end $$;
    create trigger fail before ${event} on ${table} execute function fail()`);
  try {
    await work();
  } finally {
    await api.sql.unsafe(`drop trigger fail on ${table}; drop function fail()`);
  }
}

for (const [table, event] of [
  ["leads", "insert"],
  ["pushed_leads", "update"],
  ["attributions", "insert"],
] as const) {
  test(`an import whose ${event} of ${table} fails leaves everything as it was`, async () => {
    const { id } = await partner.push();
    ok(await decide(acme, id, "accept"));
    const before = await contents();
    await whileFailing(table, event, async () => {
      const answer = await decide(acme, id, "import");
      assert.equal(answer.status, 500, answer.text);
      assert.ok(!answer.text.includes("fire"));
    });
    assert.deepEqual(await contents(), before);
    assert.equal((await reviewed(acme, id)).status, "accepted");
    assert.equal(ok(await decide(acme, id, "import")).body.status, "imported");
  });
}

test("a push that cannot be logged is not buffered", async () => {
  const before = await contents();
  await whileFailing("changes", "insert", async () => {
    const answer = await partner.post("/crm/partner/push", {
      name: "A",
      email: "lost@example.com",
    });
    assert.equal(answer.status, 500, answer.text);
  });
  assert.deepEqual(await contents(), before);
});

test("the partner sees that its lead was imported, and as which", async () => {
  const { id } = await partner.push();
  const { _id } = await importPushed(acme, id);
  const { status, imported_lead_id } = ok(await partner.get(`/crm/partner/pushed/${id}`)).body;
  assert.deepEqual([status, imported_lead_id], ["imported", _id]);
  const row = ok(await acme.get(REVIEW, { status: "imported" })).body[0];
  assert.equal(row.imported_lead_id, _id);
});

test("a lead shows its pending delivery, otherwise the one that was accepted last, otherwise the newest", async () => {
  const { id } = await partner.push();
  const failed = { topic: "lead.imported", subject_id: id, status: "failed" } as const;
  const first = await makeDelivery(api.sql, acme.tenantId, failed);
  const last = await makeDelivery(api.sql, acme.tenantId, failed);
  const shown = async () => ((await reviewed(acme, id))["delivery"] as Body)["id"];
  assert.equal(await shown(), last);
  ok(await acme.post(`${DELIVERIES}/${first}/resend`));
  assert.equal(await shown(), first);
  await api.sql`update deliveries set status = 'delivered', delivered_ts = 1 where id = ${first}`;
  assert.equal(await shown(), first);
  await api.sql`update deliveries set status = 'delivered', delivered_ts = 2 where id = ${last}`;
  assert.equal(await shown(), last);
});
