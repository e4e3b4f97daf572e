/** Testing an endpoint: the request, the response, and how both are shown. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { fileApi, file } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import { startReceiver, status, type Received, type Respond } from "../../delivery/receiver.ts";
import {
  CHECK,
  half,
  json,
  newSecret,
  reset,
  setCheck,
  setWebhook,
  silent,
  WEBHOOK,
} from "./callout-kit.ts";
import { refused } from "../exchange-kit.ts";

const api = await fileApi();
const receiver = await startReceiver(file);
const SETTINGS = [
  [WEBHOOK, setWebhook],
  [CHECK, setCheck],
] as const;

/** `gotNew` returns the requests received since its last call. */
let seen = 0;
function gotNew(): readonly Received[] {
  const got = receiver.received.slice(seen);
  seen = receiver.received.length;
  return got;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the result of a test
async function tried(client: Client, path: string, respond: Respond = status(204)): Promise<any> {
  receiver.respond = respond;
  const { duration_ms, ...told } = ok(await client.post(`${path}/test`, {})).body;
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);
  return told;
}

test("the webhook is sent a marked sample, signed like a delivery", async () => {
  const acme = await api.tenant();
  const secrets = [await newSecret(acme), await newSecret(acme)];
  const headers = { Authorization: "Bearer s3cret", "content-type": "application/vnd.x+json" };
  await setWebhook(acme, { url: `${receiver.url}/in?x=1`, method: "PUT", headers, enabled: false });
  const told = await tried(acme, WEBHOOK);
  const [got, ...more] = gotNew();
  assert.ok(got !== undefined && more.length === 0);
  assert.deepEqual(told, {
    ok: true,
    request: { method: "PUT", url: `${receiver.url}/in?x=1`, body: got.body },
    status: 204,
    body: "",
    fault: null,
    problem: null,
  });
  assert.equal(got.path, "/in?x=1");
  assert.deepEqual(JSON.parse(got.body), {
    id: "0".repeat(24),
    name: "Leadport test",
    email: "leadport-test@example.com",
    phone: "+1 202 555 0100",
    partner_id: "0".repeat(24),
    lead_source: "Unknown",
    description: "This is a test of the import webhook; there is no such lead.",
  });
  assert.equal(got.headers["leadport-test"], "true");
  assert.equal(got.headers["content-type"], "application/vnd.x+json");
  assert.equal(got.headers.authorization, "Bearer s3cret");
  assert.equal(got.headers["user-agent"], "Leadport");
  assert.match(String(got.headers["webhook-id"]), /^test_/);
  for (const secret of secrets) {
    new Webhook(secret).verify(got.body, got.headers as Record<string, string>);
  }
});

test("without a secret the sample is not signed", async () => {
  const acme = await api.tenant();
  await setWebhook(acme, { url: receiver.url });
  await tried(acme, WEBHOOK);
  const [got] = gotNew();
  assert.deepEqual(
    Object.keys(got?.headers ?? {}).filter((name) => name.startsWith("webhook-")),
    ["webhook-id", "webhook-timestamp"],
  );
});

test("the duplicate check sends a marked person, and its response is understood", async () => {
  const acme = await api.tenant();
  await setCheck(acme, { url: receiver.url, enabled: false });
  const answer = { exists: "yes", name: "Ada", active: 0 };
  const told = await tried(acme, CHECK, json(answer));
  const [got] = gotNew();
  assert.equal(got?.headers["leadport-test"], "true");
  assert.equal(got?.headers["webhook-id"], undefined);
  assert.deepEqual(JSON.parse(got?.body ?? ""), {
    name: "Leadport test",
    email: "leadport-test@example.com",
    phone: "+1 202 555 0100",
  });
  assert.deepEqual(told, {
    ok: true,
    request: { method: "POST", url: receiver.url, body: got?.body },
    status: 200,
    body: JSON.stringify(answer),
    fault: null,
    problem: null,
    understood: { exists: true, name: "Ada", active: false },
  });
  const nobody = await tried(acme, CHECK, json({}));
  assert.deepEqual(nobody.understood, { exists: false, name: null, active: false });
  for (const [respond, problem] of [
    [json({ exists: true }, 500), "it responded with status 500"],
    [status(301, { location: "/" }), "it responded with status 301"],
    [status(200, {}, "<html>"), "its response is not valid JSON"],
    [status(200, {}, `"${"x".repeat(65_535)}"`), "its response is larger than 64 KiB"],
  ] as const) {
    const { ok, problem: said, understood, fault } = await tried(acme, CHECK, respond);
    assert.deepEqual([ok, said, understood, fault], [false, problem, undefined, null]);
  }
  gotNew();
});

const BIG = "é".repeat(3000);

for (const [path, set] of SETTINGS) {
  const name = path.split("/").at(-1);

  test(`${name}: the first 2 KiB of a response without a 2xx status are shown as they came`, async () => {
    const acme = await api.tenant();
    await set(acme, { url: receiver.url });
    for (const [code, body] of [
      [500, "no\0way"],
      [301, ""],
      [410, BIG],
    ] as const) {
      const told = await tried(acme, path, status(code, {}, body));
      assert.deepEqual([told.ok, told.status, told.fault], [false, code, null]);
      assert.equal(told.body, body.slice(0, 1024).replace("\0", "\uFFFD"));
    }
    // Redirects are not followed, and nothing is retried.
    assert.equal(gotNew().length, 3);
  });

  const BROKEN: readonly (readonly [fields: Body, respond: Respond, fault: string])[] = [
    [{ url: "http://127.0.0.1:1/" }, silent, "connection"],
    [{ timeout_s: 1 }, silent, "timeout"],
    [{}, reset, "connection"],
    [{}, half, "connection"],
    [{ url: "https://no-such-host.invalid/" }, silent, "unresolved"],
  ];
  test(`${name}: without a response, the reason is shown`, async () => {
    const acme = await api.tenant();
    for (const [fields, respond, fault] of BROKEN) {
      await set(acme, { url: receiver.url, ...fields });
      const told = await tried(acme, path, respond);
      assert.deepEqual(
        [told.ok, told.status, told.body, told.fault],
        [false, null, null, fault],
        JSON.stringify(told),
      );
      assert.match(told.problem, /^[^\n]+\.$/);
    }
    gotNew();
  });

  test(`${name}: without a URL there is nothing to test; header values are never shown`, async () => {
    const acme = await api.tenant();
    refused(await acme.post(`${path}/test`), 409);
    await set(acme, { url: receiver.url, headers: { "X-Key": "s3cret" } });
    const before = await acme.get("/crm/admin/audit");
    for (const respond of [status(200, {}, "{}"), reset]) {
      assert.doesNotMatch(JSON.stringify(await tried(acme, path, respond)), /s3cret/);
    }
    assert.deepEqual(
      gotNew().map(({ headers }) => headers["x-key"]),
      ["s3cret", "s3cret"],
    );
    assert.doesNotMatch(api.log(), /s3cret/);
    // Testing an endpoint adds no audit entry and no delivery.
    assert.deepEqual((await acme.get("/crm/admin/audit")).body, before.body);
    assert.deepEqual(ok(await acme.get("/crm/admin/deliveries")).body, []);
  });

  test(`${name}: a mask that is sent back stands for the stored value, in any spelling of the name`, async () => {
    const acme = await api.tenant();
    const sentWith = async (headers: Body) => {
      await set(acme, { url: receiver.url, headers });
      await tried(acme, path);
      const [got] = gotNew();
      return [got?.headers["x-key"], got?.headers["x-other"], got?.headers["user-agent"]];
    };
    assert.deepEqual(await sentWith({ "X-Key": "one" }), ["one", undefined, "Leadport"]);
    assert.deepEqual(await sentWith({ "x-key": "***", "X-Other": "two" }), [
      "one",
      "two",
      "Leadport",
    ]);
    const { headers } = ok(await acme.get(path)).body;
    assert.deepEqual(await sentWith(headers), ["one", "two", "Leadport"]);
    assert.deepEqual(await sentWith({ "X-Key": "three", "User-Agent": "acme" }), [
      "three",
      undefined,
      "acme",
    ]);
    // A header that was omitted from an update is no longer stored.
    const again = await acme.put(path, { enabled: false, headers: { "X-Other": "***" } });
    assert.equal(again.status, 422);
  });
}
