/**
 * A lead for a known person is buffered and marked as a possible duplicate, which only reviewers see. It is never
 * accepted automatically.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { epochSeconds } from "../../../src/platform/clock/clock.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import {
  decide,
  importPushed,
  partnerOf,
  REVIEW,
  reviewed,
  type TestPartner,
} from "../exchange-kit.ts";
import { movableClock } from "../../kit/clock.ts";

const clock = movableClock();
const api = await fileApi({ clock });
const EMAIL = "Known@Example.com";
const PHONE = "(555) 555-0199";

/** Ways in which a tenant can already know a person, each with a push of the same person. */
const KNOWN: Readonly<
  Record<string, readonly [make: (acme: Client) => Promise<unknown>, push: Body]>
> = {
  "a lead with the email": [
    (acme) => acme.post("/crm/leads", { name: "A", email: EMAIL }),
    { email: "known@example.com" },
  ],
  "a lead with the number": [
    (acme) => acme.post("/crm/leads", { name: "A", phone: PHONE }),
    { email: undefined, phone: "+15555550199" },
  ],
  "a contact with the email": [
    (acme) => acme.post("/crm/contacts", { name: "A", email: EMAIL }),
    { email: " KNOWN@example.com" },
  ],
  "a contact with the number": [
    (acme) => acme.post("/crm/contacts", { name: "A", phone: PHONE }),
    { phone: "5555550199" },
  ],
  "another partner's pending push": [
    async (acme) => (await partnerOf(acme)).push({ email: EMAIL }),
    { email: "known@example.com" },
  ],
  "another partner's accepted push": [
    async (acme) => {
      const { id } = await (await partnerOf(acme)).push({ phone: PHONE });
      return decide(acme, id, "accept");
    },
    { phone: "5555550199" },
  ],
  "another partner's imported push": [
    async (acme) => importPushed(acme, (await (await partnerOf(acme)).push({ email: EMAIL })).id),
    { email: "known@example.com" },
  ],
};

/** Returns everything that a partner can see about its pushed leads. */
async function toldTo(partner: TestPartner, id: string): Promise<string> {
  const answers = [
    await partner.get("/crm/partner/pushed"),
    await partner.get(`/crm/partner/pushed/${id}`),
  ];
  return answers.map((answer) => ok(answer).text).join("");
}

for (const [name, [make, fields]] of Object.entries(KNOWN)) {
  test(`${name} makes a push a possible duplicate, and the partner never sees it`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme);
    await make(acme);
    const pushed = await partner.push(fields);
    assert.equal(pushed.status, "pending");
    assert.equal((await reviewed(acme, pushed.id))["possible_duplicate"], true);
    const told = JSON.stringify(pushed) + (await toldTo(partner, pushed.id));
    assert.ok(!told.includes("duplicate") && !told.includes("resembles"), told);
    const fresh = await partner.push();
    assert.deepEqual(Object.keys(fresh), Object.keys(pushed));
  });

  test(`${name} keeps auto accept from accepting`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme, { auto_accept: true });
    await make(acme);
    const { id, status } = await partner.push(fields);
    assert.equal(status, "pending");
    assert.equal(((await reviewed(acme, id))["history"] as unknown[]).length, 1);
    assert.equal(ok(await decide(acme, id, "accept")).body.status, "accepted");
  });
}

/** Existing records and earlier pushes that do not make a new push a possible duplicate. */
const UNKNOWN: Readonly<Record<string, (acme: Client) => Promise<unknown>>> = {
  "another partner's rejected push": async (acme) => {
    const { id } = await (await partnerOf(acme)).push({ email: EMAIL });
    return decide(acme, id, "reject");
  },
  "another partner's expired push": async (acme) => {
    const expiration_date = epochSeconds(clock) + 10;
    await (await partnerOf(acme)).push({ email: EMAIL, expiration_date });
    clock.forward_s(10);
  },
  "a record of another tenant": async () => {
    const rival = await api.tenant();
    await rival.post("/crm/leads", { name: "A", email: EMAIL });
    await (await partnerOf(rival)).push({ email: EMAIL });
  },
  "an account with the email": (acme) => acme.post("/crm/accounts", { name: "A", email: EMAIL }),
};

for (const [name, make] of Object.entries(UNKNOWN)) {
  test(`${name} makes no push a possible duplicate`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme);
    await make(acme);
    const { id } = await partner.push({ email: EMAIL });
    const { possible_duplicate, resembles } = await reviewed(acme, id);
    assert.equal(possible_duplicate, false);
    assert.deepEqual(resembles, []);
  });
}

test("of two partners that push one person at the same time, one is a possible duplicate", async () => {
  const acme = await api.tenant();
  const partners = [];
  for (let at = 0; at < 6; at++) partners.push(await partnerOf(acme));
  await Promise.all(partners.map((partner) => partner.push({ email: EMAIL })));
  const rows = ok(await acme.get(REVIEW)).body as Body[];
  const marks = rows.map(({ possible_duplicate }) => possible_duplicate);
  assert.equal(marks.filter((mark) => mark === false).length, 1);
  assert.equal(marks.filter((mark) => mark === true).length, 5);
});

test("auto accept moves a push through pending to accepted, and is the actor of both steps", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { auto_accept: true });
  const pushed = await partner.push();
  assert.equal(pushed.status, "accepted");
  const { history, possible_duplicate } = await reviewed(acme, pushed.id);
  assert.equal(possible_duplicate, false);
  assert.deepEqual(
    (history as Body[]).map(({ from, to, by }) => [from, to, by]),
    [
      [null, "pending", "auto_accept"],
      ["pending", "accepted", "auto_accept"],
    ],
  );
  const entries = ok(await acme.get("/crm/admin/audit", { subject_id: pushed.id })).body as Body[];
  assert.deepEqual(
    entries.map(({ action, actor }) => [action, (actor as Body)["id"]]),
    [
      ["accepted", "auto_accept"],
      ["pushed", partner.partner_id],
    ],
  );
});

test("auto accept never imports", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { auto_accept: true });
  const { id } = await partner.push();
  assert.deepEqual(recordsIn(ok(await acme.get("/crm/leads"))), []);
  const { imported_lead_id, status } = await reviewed(acme, id);
  assert.deepEqual([status, imported_lead_id], ["accepted", null]);
});

test("of two concurrent pushes of one person with auto accept one is accepted", async () => {
  const acme = await api.tenant();
  const settings = { auto_accept: true };
  const partners = [await partnerOf(acme, settings), await partnerOf(acme, settings)];
  const pushed = await Promise.all(partners.map((partner) => partner.push({ email: EMAIL })));
  assert.deepEqual(pushed.map(({ status }) => status).toSorted(), ["accepted", "pending"]);
});

test("a lead that auto accept accepted does not expire", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { auto_accept: true });
  const { id } = await partner.push({ expiration_date: epochSeconds(clock) + 10 });
  clock.forward_s(20);
  assert.equal((await reviewed(acme, id)).status, "accepted");
  assert.equal(ok(await decide(acme, id, "import")).body.status, "imported");
});
