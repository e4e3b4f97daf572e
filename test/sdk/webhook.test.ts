/** Verifying webhooks signed by the Standard Webhooks library. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import {
  verifyPartnerWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type Delivered,
} from "../../sdk/src/index.ts";
import { webhookHeaders } from "../../src/delivery/signing/signature.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const other = newSecret();
const body = '{"name": "Zoë 😀"}';
const NOW_s = 1_800_000_000;

const signed = (by: string, at_s = NOW_s): Record<string, string> => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(at_s),
  "webhook-signature": new Webhook(by).sign("msg_1", new Date(at_s * 1000), body),
});

const delivered = (changed: Partial<Delivered>): Delivered => ({
  secrets: [secret],
  headers: signed(secret),
  body,
  now_ms: NOW_s * 1000,
  ...changed,
});

const { "webhook-signature": good = "" } = signed(secret);
const { "webhook-signature": foreign = "" } = signed(other);
const withSignature = (signature: string) => ({
  headers: { ...signed(secret), "webhook-signature": signature },
});

const TAKEN: readonly (readonly [string, Partial<Delivered>])[] = [
  ["a signature by the secret", {}],
  ["the bytes of the body", { body: Buffer.from(body) }],
  ["one of several secrets", { secrets: [other, secret] }],
  ["a secret without its prefix", { secrets: [secret.slice("whsec_".length)] }],
  ["one of several signatures", withSignature(`v1a,abc ${foreign} ${good}`)],
  ["headers of fetch", { headers: new Headers(signed(secret)) }],
  [
    "headers in other letters",
    {
      headers: Object.fromEntries(
        Object.entries(signed(secret)).map(([k, v]) => [k.toUpperCase(), v]),
      ),
    },
  ],
  ["a clock that is behind", { now_ms: (NOW_s - 299) * 1000 }],
  ["a late one, where that is allowed", { now_ms: (NOW_s + 900) * 1000, tolerance_s: 1000 }],
];

const REFUSED: readonly (readonly [string, Partial<Delivered>, RegExp])[] = [
  ["another body", { body: `${body} ` }, /no signature fits/],
  ["another secret", { secrets: [other] }, /no signature fits/],
  ["another id", { headers: { ...signed(secret), "webhook-id": "msg_2" } }, /no signature fits/],
  ["an old one", { now_ms: (NOW_s + 301) * 1000 }, /sent 301 s ago/],
  ["one from ahead", { now_ms: (NOW_s - 301) * 1000 }, /301 s ahead/],
  ["no headers", { headers: {} }, /webhook-id is missing/],
  ["a header twice", { headers: { ...signed(secret), "webhook-id": ["a", "b"] } }, /missing/],
  ["no time", { headers: { ...signed(secret), "webhook-timestamp": "now" } }, /no time/],
  ["no signature", withSignature("v2,abc"), /holds no v1 signature/],
  ["a signature that is no base64", withSignature("v1,%%%"), /holds no v1 signature/],
  ["half a signature", withSignature(good.slice(0, 19)), /no signature fits/],
];

for (const [what, changed] of TAKEN) {
  test(`accepted: ${what}`, async () => {
    assert.deepEqual(await verifyWebhook(delivered(changed)), {
      id: "msg_1",
      sent_at: new Date(NOW_s * 1000),
      text: body,
    });
  });
}

for (const [what, changed, why] of REFUSED) {
  test(`rejected: ${what}`, async () => {
    await assert.rejects(verifyWebhook(delivered(changed)), (error) => {
      assert.ok(error instanceof WebhookVerificationError);
      assert.match(error.message, why);
      return true;
    });
  });
}

test("a missing or malformed secret is the receiver's error", async () => {
  for (const secrets of [[], [""], ["whsec_%%%"]]) {
    await assert.rejects(verifyWebhook(delivered({ secrets })), TypeError);
  }
});

test("the service's signatures are accepted, also with the older secret", async () => {
  const headers = webhookHeaders({ id: "d1", now_s: NOW_s, body, secrets: [other, secret] });
  assert.equal((await verifyWebhook(delivered({ headers }))).id, "d1");
});

/** Builds a delivery with this payload. */
const deliveredBody = (payload: unknown): Delivered => {
  const text = JSON.stringify(payload);
  const headers = webhookHeaders({ id: "d1", now_s: NOW_s, body: text, secrets: [secret] });
  return delivered({ headers, body: text });
};

const EVENT = { event_id: "c1.deal.stage_changed", record_id: "r1", action: "updated" };

test("the type of an event decides what its data is", async () => {
  const record = { _id: "r1", stage: "closed_won" };
  const data = { ...EVENT, record };
  const event = await verifyWebhook(
    deliveredBody({ type: "deal.stage_changed", timestamp: "2026-11-20T20:00:00Z", data }),
  );
  assert.deepEqual(event.data, data);
  if (event.type !== "deal.stage_changed") return assert.fail(event.text);
  const stage: string | undefined = event.data.record?.stage;
  assert.equal(stage, "closed_won");
  // @ts-expect-error -- a deal has no email
  assert.equal(event.data.record?.email, undefined);
});

test("every type of event narrows the type of its data, and unknown names are rejected", async () => {
  const event = await verifyWebhook(deliveredBody({ type: "lead.created", data: EVENT }));
  switch (event.type) {
    case "lead.created":
      assert.equal(event.data.record?.lead_status, undefined);
      break;
    case "pushed_lead.received":
      assert.fail(event.data.record?.source);
      break;
    // @ts-expect-error -- there is no such event
    case "lead.eaten":
      assert.fail();
      break;
    default:
      assert.fail(event.text);
  }
});

test("a partner's events have its pushed leads", async () => {
  const data = { ...EVENT, pushed_lead: { id: "p1", status: "rejected" } };
  const event = await verifyPartnerWebhook(
    deliveredBody({ type: "pushed_lead.rejected", timestamp: "2026-11-20T20:00:00Z", data }),
  );
  if (event.type !== "pushed_lead.rejected") return assert.fail(event.text);
  assert.equal(event.data.pushed_lead.status, "rejected");
});

test("a body that is no event has a text and no type", async () => {
  for (const payload of [{ name: "Zoë" }, [1], null, "text", { type: "lead.created" }]) {
    const other = await verifyWebhook(deliveredBody(payload));
    assert.equal(other.type, undefined);
    assert.equal(other.data, undefined);
    assert.equal(other.text, JSON.stringify(payload));
  }
});
