/** `POST /crm/partner/lookup`: whether the tenant knows a person. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../../../src/platform/clock/clock.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Client, Stamps } from "../../kit/api.ts";
import { faultsOf, partnerOf, refused, somebody, type TestPartner } from "../exchange-kit.ts";

/** The clock stands still, so that the 30-day limit can be tested to the second. */
const NOW_s = 1_800_000_000;
const clock: Clock = { now_ms: () => NOW_s * 1000 };
const api = await fileApi({ clock });
const LOOKUP = "/crm/partner/lookup";
const NONE = { exists: false, name: null, active: false };
const DAYS_30_s = 30 * 86_400;

const look = async (partner: TestPartner, ways: Body): Promise<Body> =>
  ok(await partner.post(LOOKUP, ways)).body;

/** Creates a record and sets when it was created, updated and changed status. Each time defaults to now. */
async function aged(client: Client, table: "leads" | "contacts", body: Body, stamps: Stamps = {}) {
  const { _id } = ok(await client.post(`/crm/${table}`, { name: "Ada Example", ...body })).body;
  const then = { created_ts: NOW_s, updated_ts: NOW_s, status_update_date: NOW_s };
  await api.restamp(table, _id, { ...then, ...stamps });
  return String(_id);
}

const SPELLINGS: readonly (readonly [stored: Body, asked: Body])[] = [
  [{ email: "Ada@Example.com" }, { email: "aDA@eXAMPLE.com" }],
  [{ email: "ada@example.com" }, { email: "  ada@example.com " }],
  [{ email: " Ada@example.com\u00a0" }, { email: "ada@example.com" }],
  [{ phone: "(555) 555-0100" }, { phone: "+1 555 555 0100" }],
  [{ phone: " 12 34 " }, { phone: "12 34" }],
  [{ phone: "+15555550100" }, { phone: "555.555.0100" }],
  [{ phone: "+44 20 7946 0958" }, { phone: "+442079460958" }],
  [{ email: "ada@example.com" }, { email: "ada@example.com", phone: "555 555 0999" }],
  [{ phone: "555 555 0100" }, { email: "nobody@example.com", phone: "5555550100" }],
];

for (const table of ["leads", "contacts"] as const) {
  for (const [stored, asked] of SPELLINGS) {
    test(`one of the ${table} with ${JSON.stringify(stored)} is found as ${JSON.stringify(asked)}`, async () => {
      const acme = await api.tenant();
      const partner = await partnerOf(acme);
      assert.deepEqual(await look(partner, asked), NONE);
      await aged(acme, table, stored);
      assert.deepEqual(await look(partner, asked), {
        exists: true,
        name: "Ada Example",
        active: true,
      });
    });
  }
}

test("an email counts more than a number, however new the number's person is", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  await aged(acme, "contacts", { name: "By email", email: "a@example.com" }, { created_ts: 1 });
  await aged(acme, "leads", { name: "By number", phone: "555 555 0100" });
  const both = { email: "a@example.com", phone: "555 555 0100" };
  assert.equal((await look(partner, both))["name"], "By email");
  assert.equal((await look(partner, { phone: both.phone }))["name"], "By number");
});

test("of several with one email the newest counts, leads and contacts alike", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const email = "a@example.com";
  const created = [
    ["leads", "Old lead", NOW_s - 300],
    ["contacts", "New contact", NOW_s - 100],
    ["leads", "Middle lead", NOW_s - 200],
  ] as const;
  for (const [table, name, created_ts] of created) {
    await aged(acme, table, { name, email }, { created_ts });
  }
  assert.equal((await look(partner, { email }))["name"], "New contact");
  await aged(acme, "leads", { name: "Newest lead", email });
  assert.equal((await look(partner, { email }))["name"], "Newest lead");
});

for (const stamp of ["created_ts", "updated_ts", "status_update_date"] as const) {
  for (const [seconds, active] of [
    [0, true],
    [DAYS_30_s - 1, true],
    [DAYS_30_s, true],
    [DAYS_30_s + 1, false],
  ] as const) {
    test(`${stamp} ${seconds} seconds ago: ${active ? "active" : "not active"}`, async () => {
      const acme = await api.tenant();
      const partner = await partnerOf(acme);
      const old = NOW_s - 10 * DAYS_30_s;
      const stamps = { created_ts: old, updated_ts: old, status_update_date: old };
      const moved = { [stamp]: NOW_s - seconds };
      // A record is never updated before it is created, so `updated_ts` moves as well.
      if (stamp === "created_ts") Object.assign(stamps, { updated_ts: moved[stamp] });
      await aged(acme, "contacts", { email: "a@example.com" }, { ...stamps, ...moved });
      const found = await look(partner, { email: "a@example.com" });
      assert.deepEqual(found, { exists: true, name: "Ada Example", active });
    });
  }
}

test("a person is active if any of its records is, not only the newest", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const old = NOW_s - 2 * DAYS_30_s;
  const email = "a@example.com";
  const stale = { created_ts: old, updated_ts: old, status_update_date: old };
  await aged(acme, "leads", { email }, { ...stale, created_ts: old - 10, updated_ts: NOW_s });
  await aged(acme, "contacts", { name: "Newer, and still", email }, stale);
  const found = await look(partner, { email });
  assert.deepEqual(found, { exists: true, name: "Newer, and still", active: true });
});

test("without lookup_name a person exists and has no name", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { permissions: ["lookup"] });
  await aged(acme, "leads", { email: "a@example.com" });
  const found = await look(partner, { email: "a@example.com" });
  assert.deepEqual(found, { exists: true, name: null, active: true });
  assert.deepEqual(await look(partner, { email: "b@example.com" }), NONE);
});

test("without the lookup permission no person is looked up, whatever the body contains", async () => {
  const acme = await api.tenant();
  const permissions = ["lookup_name", "read_leads", "read_contacts", "analytics"];
  const partner = await partnerOf(acme, { permissions });
  await aged(acme, "leads", { email: "a@example.com" });
  const bodies = [{ email: "a@example.com" }, { email: "b@example.com" }, {}];
  const answers = [];
  for (const body of bodies) answers.push(refused(await partner.post(LOOKUP, body), 403));
  assert.deepEqual(answers[0], answers[1]);
  assert.deepEqual(answers[0], answers[2]);
  assert.ok(String(answers[0]?.["detail"]).includes("lookup"));
});

test("persons of another tenant are unknown", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  await aged(rival, "leads", { email: "a@example.com", phone: "555 555 0100" });
  const ways = { email: "a@example.com", phone: "555 555 0100" };
  assert.deepEqual(await look(await partnerOf(acme), ways), NONE);
  assert.equal((await look(await partnerOf(rival), ways))["exists"], true);
});

test("a push that is not imported makes no person known", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const other = await partnerOf(acme);
  await partner.push({ email: "a@example.com" });
  for (const one of [partner, other]) {
    assert.deepEqual(await look(one, { email: "a@example.com" }), NONE);
  }
});

test("an account is not a person, and placeholder words match no email or number", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  await acme.post("/crm/accounts", { name: "A", email: "a@example.com" });
  await aged(acme, "leads", { email: "n/a", phone: "unknown" });
  for (const ways of [{ email: "a@example.com" }, { email: "n/a" }, { phone: "unknown" }]) {
    assert.deepEqual(await look(partner, ways), NONE);
  }
});

const REFUSED: readonly (readonly [body: Body, ...faults: string[]])[] = [
  [{}, "body value_error"],
  [{ email: null, phone: null }, "body value_error"],
  [{ email: " " }, "body value_error"],
  [{ email: 5 }, "body.email string_type"],
  [{ email: "x".repeat(255) }, "body.email string_too_long"],
  [{ email: "a@example.com", name: "Ada" }, "body.name extra_forbidden"],
];

for (const [body, ...faults] of REFUSED) {
  test(`a lookup of ${JSON.stringify(body).slice(0, 40)} is rejected`, async () => {
    const partner = await partnerOf(await api.tenant());
    assert.deepEqual(faultsOf(await partner.post(LOOKUP, body)), faults);
  });
}

test("a lookup leaves no trace", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  await aged(acme, "leads", somebody());
  const count = async () => (await api.sql`select count(*) from changes`)[0]?.["count"] as string;
  const before = await count();
  await look(partner, { email: "a@example.com" });
  assert.equal(await count(), before);
});
