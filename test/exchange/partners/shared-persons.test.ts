/** Two partners know the same person. Neither partner ever learns about the other. */

import assert from "node:assert/strict";
import { test } from "node:test";
import sql from "sql-template-tag";
import type { Tenant } from "../../../src/tenants/index.ts";
import { findInRecords, type FindPerson } from "../../../src/exchange/lookup/find-match.ts";
import { keyTexts, personKeys } from "../../../src/records/contact-details/index.ts";
import { pushLead, preparePush } from "../../../src/exchange/push/push.ts";
import type { Partner } from "../../../src/exchange/partners/partner-bodies.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { type Client } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import {
  decide,
  importPushed,
  makeId,
  partnerOf,
  PUSH,
  reviewed,
  scopeOn,
  somebody,
} from "../exchange-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { run } from "../../../src/platform/database/index.ts";

const api = await fileApi();
const EMAIL = "ada@example.com";

/** Creates two partners that pushed the same person with different preferences. The first push is imported. */
async function sharedPerson() {
  const acme = await api.tenant();
  const first = await partnerOf(acme);
  const second = await partnerOf(acme);
  const push = (partner: typeof first, wish: string) =>
    partner.push({ email: EMAIL, comments: `of the ${wish}`, match_preferences: { wish } });
  const one = await push(first, "first");
  const two = await push(second, "second");
  const leads = [await importPushed(acme, one.id), await importPushed(acme, two.id)] as const;
  return { acme, first, second, one, two, leads };
}

test("each lead is its own partner's, and the other sees it without preferences", async () => {
  const { first, second, leads } = await sharedPerson();
  for (const [partner, own, other] of [
    [first, leads[0], leads[1]],
    [second, leads[1], leads[0]],
  ] as const) {
    const rows = ok(await partner.get("/crm/partner/leads")).body.leads as Body[];
    const seen = new Map(rows.map((row) => [row["_id"], row]));
    const hidden = { partner_id: null, pushed_lead_id: null, match_preferences_dict: null };
    assert.equal(seen.get(own["_id"])?.["partner_id"], partner.partner_id);
    assert.ok(seen.get(own["_id"])?.["match_preferences_dict"]);
    const told = seen.get(other["_id"]);
    assert.deepEqual({ ...told, ...hidden }, told);
  }
});

test("a contact that comes from one partner's lead and belongs to another shows it no preferences", async () => {
  const { acme, first, second, one, leads } = await sharedPerson();
  const { contact_id } = ok(await acme.post(`/crm/leads/${String(leads[1]["_id"])}/convert`)).body;
  const contact = ok(await acme.get(`/crm/contacts/${contact_id}`)).body;
  assert.deepEqual([contact.partner_id, contact.pushed_lead_id], [first.partner_id, one.id]);
  for (const partner of [first, second]) {
    const answer = ok(await partner.get("/crm/partner/contacts"));
    assert.equal(answer.body.length, 1);
    assert.ok(!(partner === first && answer.text.includes('"second"')), answer.text);
    assert.ok(!(partner === second && answer.text.includes('"first"')), answer.text);
  }
});

const usesOwnSystem = async () => true;

const isBlockedSql = () => sql`select false as is_blocked`;

interface Versioned {
  readonly xmin: string;
}

for (const whose of ["its own", "another partner's"]) {
  test(`a person that ${whose} import brings during the lookup is a possible duplicate`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme, { auto_accept: true });
    const first = whose === "its own" ? partner : await partnerOf(acme);
    const { id, status } = await first.push({ email: EMAIL });
    if (status === "pending") ok(await decide(acme, id, "accept"));
    /** Finds the person, then imports the first push before it returns the result. */
    const findPerson: FindPerson = async (...asked) => {
      const found = await findInRecords(...asked);
      assert.equal(found, undefined);
      ok(await decide(acme, id, "import"));
      return found;
    };
    const [row] = await api.sql<(Partner & Versioned)[]>`
      select *, xmin::text from partners where id = ${partner.partner_id}`;
    assert.ok(row);
    const deps = { clock: systemClock(), makeId, findPerson, usesOwnSystem, isBlockedSql };
    const push = { name: "Ada Example", email: EMAIL, phone: null, source: "Google" };
    const rest = { comments: null, description: null, match_preferences: null };
    const sent = { ...push, ...rest, expiration_ts: null };
    const scope = scopeOn(api.sql, acme);
    const [tenant] = await api.sql<(Tenant & Versioned)[]>`
      select *, xmin::text from tenants where id = ${acme.tenantId}`;
    assert.ok(tenant);
    const versions = { partner: row.xmin, tenant: tenant.xmin };
    const caller = { tenant, partner: row, requestId: "a", versions, isCached: false };
    const pushed = await pushLead(
      scope,
      deps,
      caller,
      await preparePush(scope, deps, caller, sent),
    );
    assert.equal(pushed["status"], "pending");
    assert.equal((await reviewed(acme, pushed.id))["possible_duplicate"], true);
  });
}

/** Ways in which the tenant gets to know a person that a partner is pushing. */
const BECOMES_KNOWN = [
  {
    title: "an import of an earlier push",
    before: async (acme: Client) => {
      const { id } = await (await partnerOf(acme)).push({ email: EMAIL });
      ok(await decide(acme, id, "accept"));
      return id;
    },
    meanwhile: async (acme: Client, id: string) => void ok(await decide(acme, id, "import")),
  },
  {
    title: "a new record",
    before: async () => "",
    meanwhile: async (acme: Client) =>
      void ok(await acme.post("/crm/leads", { name: "Ada", email: EMAIL })),
  },
];

for (const { title, before, meanwhile } of BECOMES_KNOWN) {
  test(`a person that ${title} brings while a push waits for its lock is a possible duplicate`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme, { auto_accept: true });
    const id = await before(acme);
    const [key] = keyTexts(personKeys({ email: EMAIL }, "US"));
    const turn = `${acme.tenantId} ${key}`;
    const other = await api.sql.reserve();
    await run(other)`select pg_advisory_lock(hashtextextended(${turn}, 0))`;
    const pushing = partner.post(PUSH, somebody({ email: EMAIL }));
    const isWaiting = async (): Promise<boolean> => {
      const waiting = await api.sql`
        select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`;
      return waiting.length > 0;
    };
    await eventually(isWaiting);
    await meanwhile(acme, id);
    await run(other)`select pg_advisory_unlock(hashtextextended(${turn}, 0))`;
    other.release();
    const pushed = ok(await pushing).body as Body;
    const { status, possible_duplicate } = await reviewed(acme, String(pushed["id"]));
    assert.deepEqual([status, possible_duplicate], ["pending", true]);
  });
}

test("concurrent pushes and imports of one person leave one that was unknown before", async () => {
  const acme = await api.tenant();
  const settings = { auto_accept: true };
  const partners = [];
  for (let at = 0; at < 8; at++) partners.push(await partnerOf(acme, settings));
  const pushed = await Promise.all(
    partners.map(async (partner) => {
      const lead = ok(await partner.post(PUSH, somebody({ email: EMAIL }))).body as Body;
      if (lead["status"] === "accepted") ok(await decide(acme, String(lead["id"]), "import"));
      return lead;
    }),
  );
  const fresh = pushed.filter(({ status }) => status === "accepted");
  assert.equal(fresh.length, 1);
});

test("placeholder values make two persons of two pushes", () => {
  assert.deepEqual(personKeys({ email: "n/a", phone: "none" }, "US"), { email: null, phone: null });
});
