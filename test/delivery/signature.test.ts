/** Signatures verified with the Standard Webhooks library, over bytes that arrived over HTTP. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { GAPS_s } from "../../src/delivery/schedule.ts";
import { webhookHeaders } from "../../src/delivery/signing/signature.ts";
import { FAULTS } from "../../src/delivery/topics.ts";
import { deliveryWorld } from "./delivery-kit.ts";
import { startReceiver, type Received } from "./receiver.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const newest = newSecret();
const older = newSecret();
const oldest = newSecret();

const isVerified = (secret: string, { headers, body }: Received): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test("a delivery verifies under each of the two newest secrets and under no other", async (t) => {
  const receiver = await startReceiver(t);
  const body = '{"name": "Zoë \\"Z\\" 😀\\n"}';
  const world = await deliveryWorld(t, {
    request: () => ({ url: receiver.url, body, secrets: [newest, older, oldest] }),
  });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s");
  await world.deliveryWhen(scope, id, ({ status }) => status === "delivered");
  const [received] = receiver.received;
  assert.ok(received);
  assert.equal(received.body, body);
  assert.equal(received.headers["webhook-id"], id);
  const signatures = String(received.headers["webhook-signature"]).split(" ");
  assert.deepEqual(
    signatures,
    [newest, older].map((secret) =>
      new Webhook(secret).sign(
        id,
        new Date(Number(received.headers["webhook-timestamp"]) * 1000),
        body,
      ),
    ),
  );
  assert.deepEqual(
    [newest, older, oldest].map((secret) => isVerified(secret, received)),
    [true, true, false],
  );
  assert.equal(isVerified(newest, { ...received, body: `${body} ` }), false);
});

test("every attempt has a new timestamp and signature, with the current secrets and the same id", async (t) => {
  const receiver = await startReceiver(t);
  receiver.respond = (response) =>
    void response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
  const world = await deliveryWorld(t, {
    request: () => ({
      url: receiver.url,
      secrets: receiver.received.length === 0 ? [older] : [newest, older],
    }),
  });
  const scope = await world.tenant();
  world.work({ gaps_s: [0, 1.2] });
  const id = await world.promise(scope, "s");
  await world.deliveryWhen(scope, id, ({ status }) => status === "delivered");
  const [first, second] = receiver.received;
  assert.ok(first && second);
  assert.deepEqual([isVerified(older, first), isVerified(newest, first)], [true, false]);
  assert.deepEqual([isVerified(older, second), isVerified(newest, second)], [true, true]);
  assert.equal(first.headers["webhook-id"], second.headers["webhook-id"]);
  assert.notEqual(first.headers["webhook-timestamp"], second.headers["webhook-timestamp"]);
});

test("without a secret a delivery is unsigned, and a tenant's own header does not look like ours", async (t) => {
  const receiver = await startReceiver(t);
  const forged = { "Webhook-Id": "forged", "webhook-timestamp": "1", "x-own": "kept" };
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url, headers: forged }) });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s");
  await world.deliveryWhen(scope, id, ({ status }) => status === "delivered");
  const headers = receiver.received[0]?.headers ?? {};
  assert.equal(headers["webhook-id"], id);
  assert.notEqual(headers["webhook-timestamp"], "1");
  assert.equal(headers["webhook-signature"], undefined);
  assert.equal(headers["x-own"], "kept");
});

test("the example of the specification gets the signature it shows", () => {
  const headers = webhookHeaders({
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    now_s: 1_614_265_330,
    body: '{"test": 2432232314}',
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  });
  assert.equal(headers["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

const page = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8");
const found = (pattern: RegExp): string => pattern.exec(page)?.[1] ?? "";

test("the page's example verifies as the page states", () => {
  const secret = found(/signed with `(whsec_[^`]+)`/);
  const id = found(/^webhook-id: (\S+)$/m);
  const at = new Date(Number(found(/^webhook-timestamp: (\d+)$/m)) * 1000);
  const body = found(/^(\{"id": .*\})$/m);
  assert.equal(found(/^webhook-signature: (\S+)$/m), new Webhook(secret).sign(id, at, body));
});

test("the page names the whole schedule and every fault", () => {
  const units = { s: 1, min: 60, h: 3600 } as const;
  const words = found(/others follow after ([^.]*?)\. Each delay/).matchAll(/(\d+) (s|min|h)\b/g);
  const gaps = [...words].map(
    ([, count, unit]) => Number(count) * units[unit as keyof typeof units],
  );
  assert.deepEqual([0, ...gaps], GAPS_s);
  assert.deepEqual(
    FAULTS.filter((fault) => !page.includes(`\`${fault}\``)),
    [],
  );
});
