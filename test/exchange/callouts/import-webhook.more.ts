/**
 * Imports through the tenant's webhook: the request that is sent, and the import after the endpoint has accepted the
 * request.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { clearImported } from "../../../src/exchange/pushed-leads/index.ts";
import { transaction } from "../../../src/platform/database/index.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../../api/samples.ts";
import { startReceiver, status } from "../../delivery/receiver.ts";
import {
  accepted,
  DELIVERIES,
  idsOf,
  newSecret,
  sentOff,
  setWebhook,
  silent,
  leadWhen,
} from "./callout-kit.ts";
import {
  decide,
  makeId,
  movesLogged,
  partnerOf,
  refused,
  REVIEW,
  reviewed,
  scopeOn,
} from "../exchange-kit.ts";
import type { Answer } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";

const api = await fileApi({ works: true });

/** Creates a tenant, a partner, and a receiver for the tenant's imports. */
async function connected(t: Parameters<typeof startReceiver>[0], fields: Body = {}) {
  const acme = await api.tenant();
  const receiver = await startReceiver(t);
  await setWebhook(acme, { url: `${receiver.url}/in`, ...fields });
  return { acme, receiver, partner: await partnerOf(acme) };
}

const isImported = ({ status }: Body) => status === "imported";
const hasFailed = ({ delivery }: { delivery: Body }) => delivery["status"] === "failed";

/** Asks for an hour until the next attempt, so that it is not made before the test resends the delivery. */
const busyForAnHour = status(503, { "retry-after": "3600" });

/** Postpones the next attempt of a pending delivery, so that it is not made before the test resends it. */
const postpone = ({ id }: { id: string }) => api.sql`
  update pgboss.job set start_after = now() + interval '1 hour' where data->>'delivery_id' = ${id}`;

/** Resends a pending delivery, so that it is attempted immediately. */
const hasten = (acme: Awaited<ReturnType<typeof connected>>["acme"], { id }: { id: string }) =>
  acme.post(`${DELIVERIES}/${id}/resend`);

test("an import sends the rendered template, and its response shows that it was accepted", async (t) => {
  const { acme, receiver, partner } = await connected(t, {
    headers: {
      Authorization: "Bearer key",
      Constructor: "Ada",
      "Content-Type": "application/json; charset=utf-8",
    },
    body_template:
      '{"by": "{{partner_id}}", "id": {{id}}, "who": "{{name}} <{{email}}>", "all": [{{phone}}, {{lead_source}}, {{description}}]}',
  });
  const name = 'Ada "}}{{email}} \\ \n 👩‍👩‍👧‍👦';
  const pushed = { name, email: "Ada@Example.com", source: "Google", description: "x\ty" };
  const id = await accepted(acme, partner, pushed);
  const lead = await sentOff(acme, id);
  assert.deepEqual(
    [lead.status, lead.imported_lead_id, lead.delivery.status, lead.delivery.attempt_count],
    ["imported", null, "delivered", 1],
  );
  const [got, ...more] = receiver.received;
  assert.ok(got !== undefined && more.length === 0);
  assert.deepEqual(JSON.parse(got.body), {
    by: partner.partner_id,
    id,
    who: `${name} <Ada@Example.com>`,
    all: [null, "Google", "x\ty"],
  });
  assert.equal(got.path, "/in");
  assert.equal(got.headers.authorization, "Bearer key");
  assert.equal(got.headers["constructor"], "Ada");
  assert.equal(got.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(got.headers["webhook-id"], lead.delivery.id);
  assert.equal(got.headers["leadport-test"], undefined);
  assert.deepEqual(lead.history.at(-1).actor.name, "import webhook");
  assert.equal(lead.history.at(-1).by, "tenant");
  assert.equal(await movesLogged(api.sql, id), 3);
  // No CRM lead is created, and the partner sees the status but not the delivery.
  assert.deepEqual(recordsIn(ok(await acme.get("/crm/leads"))), []);
  const told = ok(await partner.get(`/crm/partner/pushed/${id}`)).body;
  assert.deepEqual([told.status, told.delivery], ["imported", undefined]);
  refused(await decide(acme, id, "import"), 409);
});

test("requests are signed by the two newest secrets, as in Standard Webhooks", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  const sent = async () => {
    await sentOff(acme, await accepted(acme, partner));
    const { body, headers } = receiver.received.at(-1) ?? assert.fail();
    return { body, headers: headers as Record<string, string> };
  };
  const accepts = (secret: string, { body, headers }: Awaited<ReturnType<typeof sent>>) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };
  assert.equal((await sent()).headers["webhook-signature"], undefined);
  const secrets = [await newSecret(acme)];
  const first = await sent();
  secrets.push(await newSecret(acme));
  const rotating = await sent();
  secrets.push(await newSecret(acme));
  const last = await sent();
  const by = [first, rotating, last].map((one) => secrets.map((secret) => accepts(secret, one)));
  assert.deepEqual(by, [
    [true, false, false],
    [true, true, false],
    [false, true, true],
  ]);
  const [secret = ""] = secrets;
  assert.equal(accepts(secret, { ...first, body: first.body.replace("Ada", "Eve") }), false);
  const other = { ...first.headers, "webhook-id": rotating.headers["webhook-id"] ?? "" };
  assert.equal(accepts(secret, { ...first, headers: other }), false);
});

test("a person who was imported by the webhook is the partner's", async (t) => {
  const { acme, partner } = await connected(t);
  const ways = { email: "Ada@Example.com", phone: "(555) 555-0100" };
  const id = await accepted(acme, partner, ways);
  const own = { partner_id: partner.partner_id, pushed_lead_id: id };
  const contact = async (fields: Body) => {
    const body = ok(await acme.post("/crm/contacts", { name: "Ada", ...fields })).body;
    return { partner_id: body.partner_id, pushed_lead_id: body.pushed_lead_id };
  };
  assert.deepEqual(await contact({ email: "ada@example.com" }), {
    partner_id: null,
    pushed_lead_id: null,
  });
  await sentOff(acme, id);
  assert.deepEqual(await contact({ email: "ADA@example.com" }), own);
  assert.deepEqual(await contact({ phone: "+1 555 555 0100" }), own);
});

test("if the endpoint fails, the lead stays accepted with its delivery shown, until the endpoint accepts it", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  receiver.respond = status(500, {}, "out of order");
  const id = await accepted(acme, partner);
  const lead = await sentOff(acme, id);
  const { delivery } = lead;
  assert.equal((await postpone(delivery)).count, 1);
  assert.equal(lead.status, "accepted");
  assert.deepEqual([delivery.status, delivery.attempt_count], ["pending", 1]);
  assert.deepEqual([delivery.last_attempt.status, delivery.last_attempt.fault], [500, null]);
  assert.ok(delivery.next_attempt_ts > delivery.created_ts);
  const clerk = await acme.token(["exchange:review"]);
  const [listed] = ok(await clerk.get(REVIEW, { status: "accepted" })).body;
  assert.deepEqual([listed.id, listed.delivery], [id, delivery]);
  assert.deepEqual((await reviewed(clerk, id))["delivery"], delivery);
  const one = ok(await acme.get(`${DELIVERIES}/${delivery.id}`)).body;
  assert.equal(one.attempts[0].answer, "out of order");
  // While the delivery is pending, the lead cannot be imported again.
  for (let at = 0; at < 2; at += 1) {
    const again = refused(await decide(acme, id, "import"), 409);
    assert.equal(again["existing_id"], delivery.id);
  }
  const batch = { ids: [id], action: "import" };
  const [result] = ok(await acme.post(`${REVIEW}/batch`, batch)).body;
  assert.deepEqual([result.ok, result.code, result.existing_id], [false, 409, delivery.id]);
  assert.equal(receiver.received.length, 1);
  // The schedule retries the delivery after five seconds.
  const { at, duration_ms } = delivery.last_attempt;
  const wait_s = delivery.next_attempt_ts - (Date.parse(at) + duration_ms) / 1000;
  assert.ok(wait_s > 4 && wait_s < 10, `${wait_s} s`);
  receiver.respond = status(200);
  ok(await hasten(acme, delivery));
  const taken = await leadWhen(acme, id, isImported);
  assert.deepEqual([taken.delivery.status, taken.delivery.attempt_count], ["delivered", 2]);
  assert.deepEqual(idsOf(receiver.received), [delivery.id, delivery.id]);
  assert.equal(await movesLogged(api.sql, id), 3);
});

test("a delivery goes to the URL of the current settings, under its own id", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  receiver.respond = busyForAnHour;
  const id = await accepted(acme, partner);
  const { delivery } = await sentOff(acme, id);
  const secret = await newSecret(acme);
  const elsewhere = await startReceiver(t);
  await setWebhook(acme, { url: elsewhere.url, method: "PUT", body_template: '["{{id}}"]' });
  ok(await hasten(acme, delivery));
  const lead = await leadWhen(acme, id, isImported);
  assert.deepEqual([lead.delivery.id, lead.delivery.url], [delivery.id, elsewhere.url]);
  const [got] = elsewhere.received;
  assert.equal(got?.body, `["${id}"]`);
  new Webhook(secret).verify(got.body, got.headers as Record<string, string>);
  assert.equal(receiver.received.length, 1);
});

test("an endpoint that is gone ends the delivery; importing again creates another", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  receiver.respond = status(410);
  const id = await accepted(acme, partner);
  const gone = await sentOff(acme, id);
  assert.deepEqual([gone.status, gone.delivery.status], ["accepted", "gone"]);
  assert.equal(gone.delivery.next_attempt_ts, null);
  receiver.respond = status(200);
  const lead = await sentOff(acme, id);
  assert.deepEqual([lead.status, lead.delivery.status], ["imported", "delivered"]);
  assert.notEqual(lead.delivery.id, gone.delivery.id);
  assert.deepEqual(idsOf(receiver.received), [gone.delivery.id, lead.delivery.id]);
  const listed = ok(await acme.get(DELIVERIES)).body as Body[];
  assert.deepEqual(
    listed.map(({ id, status, subject_id }) => [id, status, subject_id]),
    [
      [lead.delivery.id, "delivered", id],
      [gone.delivery.id, "gone", id],
    ],
  );
});

test("disabled while one is pending: import is rejected, the delivery ends, then the CRM imports the lead", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  receiver.respond = busyForAnHour;
  const id = await accepted(acme, partner);
  const { delivery } = await sentOff(acme, id);
  await setWebhook(acme, { url: receiver.url, enabled: false });
  assert.equal(refused(await decide(acme, id, "import"), 409)["existing_id"], delivery.id);
  ok(await hasten(acme, delivery));
  const failed = await leadWhen(acme, id, hasFailed);
  assert.deepEqual([failed.status, failed.delivery.last_attempt.fault], ["accepted", "skipped"]);
  assert.equal(receiver.received.length, 1);
  const lead = await sentOff(acme, id);
  assert.deepEqual([lead.status, lead.delivery.id], ["imported", delivery.id]);
  const made = ok(await acme.get(`/crm/leads/${lead.imported_lead_id}`)).body;
  assert.equal(made.pushed_lead_id, id);
  // A lead that was imported as a CRM lead is not sent to the endpoint again, even after the CRM lead was erased.
  await setWebhook(acme, { url: receiver.url });
  const resendSkipped = async () => {
    ok(await hasten(acme, delivery));
    assert.equal((await leadWhen(acme, id, hasFailed)).delivery.last_attempt.fault, "skipped");
    assert.equal(receiver.received.length, 1);
  };
  await resendSkipped();
  await transaction(api.sql, (db) =>
    clearImported({ ...scopeOn(api.sql, acme), db }, makeId, [made._id]),
  );
  await resendSkipped();
});

test("a delivery that was given up can be imported by the webhook again, or resent under its id", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  receiver.respond = status(410);
  const acceptedAgain = await accepted(acme, partner);
  const again = await accepted(acme, partner);
  const first = await sentOff(acme, acceptedAgain);
  const other = await sentOff(acme, again);
  receiver.respond = status(200);
  const lead = await sentOff(acme, acceptedAgain);
  ok(await hasten(acme, other.delivery));
  const resent = await leadWhen(acme, again, isImported);
  assert.equal(resent.delivery.id, other.delivery.id);
  // Resend the first of the lead's two deliveries. The endpoint accepts it, but nothing else happens.
  ok(await hasten(acme, first.delivery));
  await eventually(() => receiver.received.length >= 5);
  assert.deepEqual(idsOf(receiver.received), [
    first.delivery.id,
    other.delivery.id,
    lead.delivery.id,
    other.delivery.id,
    first.delivery.id,
  ]);
  for (const id of [acceptedAgain, again]) assert.equal(await movesLogged(api.sql, id), 3);
});

test("an accepted delivery can be resent; the lead is imported once", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  const id = await accepted(acme, partner);
  const { delivery } = await sentOff(acme, id);
  ok(await hasten(acme, delivery));
  const lead = await leadWhen(acme, id, (one) => one.delivery.attempt_count === 2);
  assert.deepEqual([lead.status, lead.delivery.status], ["imported", "delivered"]);
  assert.deepEqual(idsOf(receiver.received), [delivery.id, delivery.id]);
  assert.equal(await movesLogged(api.sql, id), 3);
});

test("a batch waits for no endpoint, and everything arrives", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  const held = Promise.withResolvers<void>();
  receiver.respond = async (response) => {
    await held.promise;
    response.writeHead(201).end();
  };
  const ids: string[] = [];
  for (let at = 0; at < 30; at += 1) ids.push(await accepted(acme, partner));
  const results = ok(await acme.post(`${REVIEW}/batch`, { ids, action: "import" })).body;
  held.resolve();
  assert.deepEqual(
    results.map((one: Body) => [one["id"], one["ok"], one["status"]]),
    ids.map((id) => [id, true, "accepted"]),
  );
  for (const id of ids) assert.equal((await leadWhen(acme, id, isImported)).imported_lead_id, null);
  const sent = receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  assert.deepEqual(sent.toSorted(), ids.toSorted());
  assert.equal(new Set(idsOf(receiver.received)).size, 30);
});

test("an import waits for the first attempt, as long as it may take", async (t) => {
  const { acme, receiver, partner } = await connected(t, { timeout_s: 3 });
  receiver.respond = silent;
  const id = await accepted(acme, partner);
  const lead = await sentOff(acme, id);
  assert.deepEqual([lead.status, lead.delivery.last_attempt.fault], ["accepted", "timeout"]);
});

test("of many concurrent imports of one lead one queues a delivery, and the others return it", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  // The receiver responds after the other imports, so all of them are concurrent on any machine.
  const refusals = [] as Answer[];
  const others = Promise.withResolvers<void>();
  receiver.respond = async (response) => {
    await others.promise;
    response.writeHead(200).end();
  };
  const id = await accepted(acme, partner);
  const importOnce = async (): Promise<Answer> => {
    const answer = await decide(acme, id, "import");
    if (refusals.push(answer) === 5) others.resolve();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: 6 }, importOnce));
  const codes = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(codes, [200, 409, 409, 409, 409, 409]);
  assert.equal(receiver.received.length, 1);
  assert.equal(await movesLogged(api.sql, id), 3);
});

test("an import that is rolled back queues nothing", async (t) => {
  const { acme, receiver, partner } = await connected(t);
  const id = await accepted(acme, partner);
  // The import's last statement fails, after the delivery was queued.
  await api.sql.unsafe(`
    create function refuse_job() returns trigger language plpgsql as
      $$ begin raise exception 'no room'; end $$;
    create trigger refuse_job after insert on pgboss.job_common
      for each row execute function refuse_job()`);
  try {
    refused(await decide(acme, id, "import"), 500);
  } finally {
    await api.sql.unsafe("drop function refuse_job cascade");
  }
  assert.deepEqual(ok(await acme.get(DELIVERIES)).body, []);
  assert.deepEqual((await reviewed(acme, id))["delivery"], null);
  await sleep(1200);
  assert.deepEqual(receiver.received, []);
  assert.equal((await sentOff(acme, id)).status, "imported");
  assert.equal(receiver.received.length, 1);
});

test("another tenant's webhook receives nothing, and that tenant's imports go into its CRM", async (t) => {
  const { receiver } = await connected(t);
  const rival = await api.tenant();
  const lead = await sentOff(rival, await accepted(rival, await partnerOf(rival)));
  assert.deepEqual([lead.status, lead.delivery], ["imported", null]);
  assert.equal(typeof lead.imported_lead_id, "string");
  assert.deepEqual(receiver.received, []);
  assert.deepEqual(ok(await rival.get(DELIVERIES)).body, []);
});

test("U+0000 and lone surrogates are rejected at the push, in every field", async (t) => {
  const { partner } = await connected(t);
  for (const bad of ["\\u0000", "\\ud83d", "\\udc69x"]) {
    for (const field of ["name", "email", "phone", "comments", "description"]) {
      const whole = { name: '"Ada"', email: '"ada@example.com"', [field]: `"a${bad}"` };
      const members = Object.entries(whole).map(([name, text]) => `"${name}": ${text}`);
      const answer = await partner.request({
        method: "POST",
        path: "/crm/partner/push",
        headers: { "content-type": "application/json" },
        body: `{${members.join(", ")}}`,
      });
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(
        answer.body.detail.map(({ loc, type }: Body) => [...(loc as string[]), type]),
        [["body", field, "string_unicode"]],
      );
    }
  }
});
