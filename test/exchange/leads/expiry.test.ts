/** A lead expires according to the clock at the time of the request. The worker only records the expiry. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import pino from "pino";
import { expireSome } from "../../../src/exchange/pushed-leads/expiry.ts";
import { epochSeconds } from "../../../src/platform/clock/clock.ts";
import { run, transaction } from "../../../src/platform/database/index.ts";
import { createOutgoing } from "../../../src/platform/outgoing/outgoing.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { startWorker } from "../../../src/service/worker.ts";
import { fileApi } from "../../kit/file-api.ts";
import { newKey } from "../../api/keys/keyed-samples.ts";
import { ok, whenFree, type Body } from "../../api/samples.ts";
import {
  decide,
  faultsOf,
  movesLogged,
  partnerOf,
  PUSH,
  refused,
  REVIEW,
  reviewed,
  somebody,
} from "../exchange-kit.ts";
import { movableClock } from "../../kit/clock.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import { json, setCheck } from "../callouts/callout-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import { openPools, atEnd } from "../../kit/started.ts";

const clock = movableClock();
const api = await fileApi({ clock });
const makeId = idSource(clock);
const SOON_s = 10;

const inSeconds = (seconds: number): number => epochSeconds(clock) + seconds;
const expire = () => expireSome(api.sql, { clock, makeId });

/** Creates a tenant, a partner, and a lead that has expired but is not yet recorded as expired. */
async function overdue(fields: Body = {}) {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { id } = await partner.push({ expiration_date: inSeconds(SOON_s), ...fields });
  clock.forward_s(SOON_s);
  return { acme, partner, id };
}

const storedStatus = async (id: string): Promise<unknown> =>
  (await api.sql`select status from pushed_leads where id = ${id}`)[0]?.["status"];

const idsIn = ({ body }: { readonly body: readonly { id: string }[] }): readonly string[] =>
  body.map(({ id }) => id);

test("a lead is pending until its second comes, and expired from then on", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { id } = await partner.push({ expiration_date: inSeconds(1000) });
  clock.forward_s(990);
  assert.equal((await reviewed(acme, id)).status, "pending");
  clock.forward_s(10);
  assert.equal((await reviewed(acme, id)).status, "expired");
  const seen = ok(await partner.get(`/crm/partner/pushed/${id}`)).body;
  assert.equal(seen.status, "expired");
  assert.equal(await storedStatus(id), "pending");
});

test("an expired lead cannot be accepted, rejected or imported", async () => {
  const { acme, id } = await overdue();
  for (const word of ["accept", "reject", "import"] as const) {
    assert.equal(refused(await decide(acme, id, word), 409).status, "expired");
  }
  const batch = await acme.post(`${REVIEW}/batch`, { ids: [id], action: "accept" });
  const [result] = ok(batch).body;
  assert.deepEqual([result.ok, result.code, result.status], [false, 409, "expired"]);
  assert.equal(await storedStatus(id), "pending");
});

test("filters and counts follow the clock, on both sides", async () => {
  const { acme, partner, id } = await overdue();
  const live = await partner.push({ expiration_date: inSeconds(1000) });
  const endless = await partner.push();
  for (const list of [
    (status: string) => acme.get(REVIEW, { status }),
    (status: string) => partner.get("/crm/partner/pushed", { status }),
  ]) {
    assert.deepEqual(idsIn(ok(await list("expired"))), [id]);
    assert.deepEqual(idsIn(ok(await list("pending"))), [endless.id, live.id]);
  }
  for (const { body } of [
    ok(await acme.get("/crm/admin/analytics")),
    ok(await partner.get("/crm/partner/analytics")),
  ]) {
    assert.deepEqual([body.total_pushed, body.pending_review, body.expired], [3, 2, 1]);
  }
});

test("a person whose lead has expired can be pushed again, and that records the expiry", async () => {
  const email = "again@example.com";
  const { acme, partner, id } = await overdue({ email });
  const before = await reviewed(acme, id);
  const again = await partner.push({ email });
  assert.equal(again.status, "pending");
  assert.equal(await storedStatus(id), "expired");
  assert.equal(await movesLogged(api.sql, id), 2);
  assert.deepEqual({ ...(await reviewed(acme, id)), resembles: [] }, { ...before, resembles: [] });
  const [{ actor }] = ok(await acme.get("/crm/admin/audit", { subject_id: id })).body;
  assert.equal(actor.kind, "service");
});

test("an accepted lead stays accepted, whenever its time passes", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const email = "stands@example.com";
  const { id } = await partner.push({ email, expiration_date: inSeconds(SOON_s) });
  ok(await decide(acme, id, "accept"));
  clock.forward_s(SOON_s);
  const again = refused(await partner.post(PUSH, somebody({ email })), 409);
  assert.deepEqual([again["existing_id"], again["status"]], [id, "accepted"]);
  const other = await partnerOf(acme, { auto_accept: true });
  assert.equal((await other.push({ email })).status, "pending");
});

test("recording an expiry changes nothing in any response", async () => {
  const { acme, partner, id } = await overdue();
  const look = async () => [
    await reviewed(acme, id),
    ok(await partner.get(`/crm/partner/pushed/${id}`)).body,
    ok(await acme.get(REVIEW)).body,
    ok(await acme.get(REVIEW, { status: "expired" })).body,
    ok(await acme.get(REVIEW, { status: "pending" })).body,
    ok(await acme.get("/crm/admin/analytics")).body,
  ];
  const before = await look();
  const { history } = before[0];
  assert.deepEqual(
    [history.length, history[1].from, history[1].to, history[1].by],
    [2, "pending", "expired", "clock"],
  );
  assert.equal(Date.parse(history[1].at), before[0].expiration_date * 1000);
  assert.equal(await expire(), true);
  assert.equal(await storedStatus(id), "expired");
  assert.deepEqual(await look(), before);
});

test("concurrent workers record each expiry once", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const expiration_date = inSeconds(SOON_s);
  const pushes = Array.from({ length: 130 }, () =>
    whenFree(() => partner.post(PUSH, somebody({ expiration_date }))),
  );
  const ids: string[] = (await Promise.all(pushes)).map((answer) => ok(answer).body.id);
  const { id: open } = await partner.push({ expiration_date: inSeconds(1000) });
  const { id: accepted } = await partner.push({ expiration_date: inSeconds(SOON_s) });
  ok(await decide(acme, accepted, "accept"));
  clock.forward_s(SOON_s);
  const worker = async () => {
    while (await expire());
  };
  await Promise.all([worker(), worker()]);
  for (const id of ids) {
    assert.equal(await storedStatus(id), "expired");
    assert.equal(await movesLogged(api.sql, id), 2);
  }
  assert.deepEqual(
    [await storedStatus(open), await storedStatus(accepted)],
    ["pending", "accepted"],
  );
  assert.equal(await expire(), false);
});

test("the background work records expiries automatically", async (t) => {
  const { id } = await overdue();
  const db = openPools(t, { url: api.databaseUrl, connections: 1, listTimeout_ms: 10_000 });
  const worker = await startWorker({
    db,
    clock,
    log: pino({ level: "silent" }),
    config: { deliveryRetention_days: 30 },
    keys: { all: [randomBytes(32)] },
    outgoing: createOutgoing({ allow: [] }),
  });
  atEnd(t, () => worker.stop());
  await eventually(async () => (await storedStatus(id)) !== "pending");
  assert.equal(await storedStatus(id), "expired");
  assert.equal(await movesLogged(api.sql, id), 2);
});

test("a recorded expiry is in the audit log as an action of the service", async () => {
  const { acme, id } = await overdue();
  await expire();
  const entries = ok(await acme.get("/crm/admin/audit", { subject_id: id })).body as Body[];
  const [last] = entries;
  assert.ok(last);
  assert.deepEqual([last["action"], (last["actor"] as Body)["kind"]], ["expired", "service"]);
});

const ACCEPTED: readonly (readonly [name: string, sent: () => unknown, told: () => number])[] = [
  ["epoch seconds", () => inSeconds(3600), () => inSeconds(3600)],
  ["epoch seconds with a fraction", () => inSeconds(3600) + 0.25, () => inSeconds(3600) + 0.25],
  ["an ISO date", () => "2099-12-31", () => Date.UTC(2099, 11, 31) / 1000],
  ["an ISO time", () => "2099-12-31T23:59:59Z", () => Date.UTC(2099, 11, 31, 23, 59, 59) / 1000],
];

for (const [name, sent, told] of ACCEPTED) {
  test(`${name} can be the expiration date`, async () => {
    const partner = await partnerOf(await api.tenant());
    const expiration_date = sent();
    const expected = told();
    const pushed = await partner.push({ expiration_date });
    assert.equal(pushed["expiration_date"], expected);
    assert.equal(pushed.status, "pending");
  });
}

test("without an expiration date, or with null, a lead never expires", async () => {
  const { acme, partner } = await overdue();
  const { id, expiration_date } = await partner.push({ expiration_date: null });
  assert.equal(expiration_date, null);
  clock.forward_s(1000);
  await expire();
  assert.equal((await reviewed(acme, id)).status, "pending");
});

test("a fraction of a second counts", async () => {
  const { acme, partner } = await overdue();
  const { id } = await partner.push({ expiration_date: inSeconds(1000) + 0.5 });
  clock.forward_s(999);
  assert.equal((await reviewed(acme, id)).status, "pending");
  clock.forward_s(2);
  assert.equal((await reviewed(acme, id)).status, "expired");
});

const REFUSED: Readonly<Record<string, unknown>> = {
  "a moment in the past": 1_700_000_000,
  "an ISO date in the past": "2020-01-01",
  milliseconds: 4_102_444_800_000,
  "a date in another format": "31.12.2099",
  "a day that does not exist": "2099-02-30",
  "a boolean": true,
  "an object": { at: 1 },
  "no text at all": "",
};

for (const [name, expiration_date] of Object.entries(REFUSED)) {
  test(`${name} cannot be the expiration date`, async () => {
    const acme = await api.tenant();
    const partner = await partnerOf(acme);
    const answer = await partner.post(PUSH, somebody({ expiration_date }));
    const [fault, ...others] = faultsOf(answer);
    assert.ok(fault?.startsWith("body.expiration_date "), answer.text);
    assert.deepEqual(others, []);
    assert.deepEqual(ok(await acme.get(REVIEW)).body, []);
  });
}

test("the current second is not in the future", async () => {
  const partner = await partnerOf(await api.tenant());
  const answer = await partner.post(PUSH, somebody({ expiration_date: inSeconds(0) }));
  assert.deepEqual(faultsOf(answer), ["body.expiration_date value_error"]);
});

test("a lead that expires during the external duplicate check is not accepted", async (t) => {
  const acme = await api.tenant();
  const receiver = await startReceiver(t);
  await setCheck(acme, { url: receiver.url });
  const partner = await partnerOf(acme, { auto_accept: true });
  receiver.respond = (...asked) => {
    clock.forward_s(SOON_s);
    return json({ exists: false })(...asked);
  };
  const pushed = await partner.push({ expiration_date: inSeconds(SOON_s) });
  assert.deepEqual(
    [pushed.status, (await reviewed(acme, pushed.id)).status],
    ["expired", "expired"],
  );
  assert.ok(Number(pushed["submitted_ts"]) >= Number(pushed["expiration_date"]));
});

test("a lead that expires while a decision waits for its lock cannot be accepted", async () => {
  const acme = await api.tenant();
  const { id } = await (await partnerOf(acme)).push({ expiration_date: inSeconds(SOON_s) });
  const accepting = await transaction(api.sql, async (tx) => {
    await run(tx)`select from pushed_leads where id = ${id} for update`;
    const sent = decide(acme, id, "accept");
    await untilLockWaits(api.sql, 1);
    clock.forward_s(SOON_s);
    return { sent };
  });
  assert.equal(refused(await accepting.sent, 409).status, "expired");
});

test("a push that expires two earlier leads does not deadlock with a batch that decides on them", async () => {
  const { acme, partner, id: first } = await overdue({ email: "ada@example.com" });
  const second = await partner.push({
    email: undefined,
    phone: "(415) 555-0123",
    expiration_date: inSeconds(SOON_s),
  });
  clock.forward_s(SOON_s);
  const ids = [first, second.id];
  // Both wait for the first lead: the batch before the push.
  const sent = await transaction(api.sql, async (tx) => {
    await run(tx)`select from pushed_leads where id = ${first} for update`;
    const batch = acme.request({
      method: "POST",
      path: `${REVIEW}/batch`,
      headers: { "content-type": "application/json", "idempotency-key": newKey() },
      body: JSON.stringify({ ids, action: "accept" }),
    });
    await untilLockWaits(api.sql, 1);
    const person = somebody({ email: "ada@example.com", phone: "(415) 555-0123" });
    const push = partner.post(PUSH, person);
    await untilLockWaits(api.sql, 2);
    return { batch, push };
  });
  const results = ok(await sent.batch).body as readonly { code: number; status: string }[];
  assert.deepEqual(
    results.map(({ code, status }) => [code, status]),
    [
      [409, "expired"],
      [409, "expired"],
    ],
  );
  assert.equal(ok(await sent.push).body.status, "pending");
  for (const id of ids) assert.equal(await storedStatus(id), "expired");
});
