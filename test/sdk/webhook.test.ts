/** Webhooks are verified as the library of Standard Webhooks signs them. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, WebhookVerificationError, type Delivered } from "../../sdk/src/index.ts";
import { webhookHeaders } from "../../src/delivery/signature.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const [secret, other] = [newSecret(), newSecret()];
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
  test(`taken: ${what}`, async () => {
    assert.deepEqual(await verifyWebhook(delivered(changed)), {
      id: "msg_1",
      sent_at: new Date(NOW_s * 1000),
      text: body,
    });
  });
}

for (const [what, changed, why] of REFUSED) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(verifyWebhook(delivered(changed)), (error) => {
      assert.ok(error instanceof WebhookVerificationError);
      assert.match(error.message, why);
      return true;
    });
  });
}

test("a secret that is missing or none is the receiver's own error", async () => {
  for (const secrets of [[], [""], ["whsec_%%%"]]) {
    await assert.rejects(verifyWebhook(delivered({ secrets })), TypeError);
  }
});

test("the service's own signatures are taken, by the older secret, too", async () => {
  const headers = webhookHeaders({ id: "d1", now_s: NOW_s, body, secrets: [other, secret] });
  assert.equal((await verifyWebhook(delivered({ headers }))).id, "d1");
});
