/** POST …/preview: the request that an endpoint would receive, shown while its template is being edited. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import type { Client } from "../../kit/api.ts";
import { CHECK, WEBHOOK } from "./callout-kit.ts";

const api = await fileApi();
const SETTINGS = [WEBHOOK, CHECK] as const;
const nameOf = (path: string): string => path.split("/").at(-1) ?? "";
const url = "http://127.0.0.1:1/";
const type = (text: string): Body => ({ "Content-Type": text });

/** Bodies that PUT accepts, each with the content type of the resulting request. */
const TAKEN: readonly (readonly [body: Body, contentType: string])[] = [
  [{ enabled: false }, "application/json"],
  [{ enabled: true, url }, "application/json"],
  [{ enabled: true, url, method: "PUT", body_template: null }, "application/json"],
  [
    { enabled: false, url, body_template: '{"who": "{{name}}", "tel": {{ phone }}}' },
    "application/json",
  ],
  [
    {
      enabled: false,
      body_template: "<n>{{name}}</n><e a='{{email}}'/>",
      headers: type("text/xml"),
    },
    "text/xml",
  ],
  [
    {
      enabled: false,
      body_template: "n={{name}}&e={{email}}",
      headers: type("application/x-www-form-urlencoded"),
    },
    "application/x-www-form-urlencoded",
  ],
  [
    {
      enabled: false,
      body_template: "{{name}} {{email}}",
      raw_template: true,
      headers: type("text/plain; charset=utf-8"),
    },
    "text/plain; charset=utf-8",
  ],
  [{ enabled: false, body_template: "", headers: type("text/plain") }, "text/plain"],
];

/** Bodies that PUT rejects. */
const REFUSED: readonly unknown[] = [
  {},
  [],
  { enabled: true },
  { enabled: "yes", url: "https://10.0.0.1/", method: "GET", timeout_s: 31, extra: true },
  { enabled: false, headers: { Host: "example.com", "X Y": "a", "x-a": "two\r\nlines" } },
  { enabled: false, headers: { "X-Unknown": "***" } },
  { enabled: false, body_template: "{{nmae}}" },
  { enabled: false, body_template: "{{name}" },
  { enabled: false, body_template: "<x>{{name}}</x>" },
  { enabled: false, exists_pointer: "x" },
];

/** Returns the rows that a preview must not change. */
async function written({ tenantId }: Client): Promise<string> {
  const rows = await Promise.all([
    api.sql`select * from tenant_settings where tenant_id = ${tenantId}`,
    api.sql`select * from deliveries where tenant_id = ${tenantId}`,
    api.sql`select * from idempotency_keys where tenant_id = ${tenantId}`,
    api.sql`select * from changes where tenant_id = ${tenantId} order by id`,
  ]);
  return JSON.stringify(rows);
}

for (const path of SETTINGS) {
  const preview = `${path}/preview`;

  test(`${nameOf(path)}: a preview shows what a test of the same setting sends`, async () => {
    const acme = await api.tenant();
    for (const [sent, content_type] of TAKEN) {
      const told = ok(await acme.post(preview, sent)).body;
      assert.deepEqual(Object.keys(told), ["body", "content_type", "headers"]);
      assert.equal(told.content_type, content_type);
      const { headers } = ok(await acme.put(path, { ...sent, url })).body;
      assert.deepEqual(told.headers, headers);
      const { request } = ok(await acme.post(`${path}/test`)).body;
      assert.equal(told.body, request.body, JSON.stringify(sent));
      assert.ok(told.body === "" || told.body.includes("Leadport"), told.body);
    }
  });

  test(`${nameOf(path)}: a preview writes nothing and sends nothing`, async (t) => {
    const acme = await api.tenant();
    const receiver = await startReceiver(t);
    ok(await acme.put(path, { enabled: false, headers: { "X-Api-Key": "one" } }));
    const before = await written(acme);
    const sent = { enabled: true, url: receiver.url, headers: { "X-Api-Key": "s3cret" } };
    const answer = ok(await acme.post(preview, sent));
    assert.deepEqual(answer.body.headers, { "X-Api-Key": "***" });
    assert.ok(!answer.text.includes("s3cret"));
    assert.equal(await written(acme), before);
    assert.deepEqual(receiver.received, []);
    assert.ok(!api.log().includes("s3cret"));
  });

  test(`${nameOf(path)}: a preview rejects what PUT rejects, with the same messages`, async () => {
    const acme = await api.tenant();
    for (const sent of REFUSED) {
      const refused = await acme.post(preview, sent);
      assert.equal(refused.status, 422, JSON.stringify(sent));
      assert.deepEqual(refused.body, (await acme.put(path, sent)).body);
    }
  });

  test(`${nameOf(path)}: a mask stands for the stored value of the same tenant`, async () => {
    const acme = await api.tenant();
    const rival = await api.tenant();
    ok(await acme.put(path, { enabled: false, headers: { "X-Api-Key": "s3cret" } }));
    const masked = { enabled: false, headers: { "x-api-key": "***" } };
    assert.deepEqual(ok(await acme.post(preview, masked)).body.headers, { "x-api-key": "***" });
    const refused = await rival.post(preview, masked);
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body.detail[0].loc, ["body", "headers", "x-api-key"]);
  });

  test(`${nameOf(path)}: a preview needs admin`, async () => {
    const acme = await api.tenant();
    const clerk = await acme.token(["exchange:review", "records:write"]);
    assert.equal((await clerk.post(preview, { enabled: false })).status, 403);
    ok(await (await acme.token(["admin"])).post(preview, { enabled: false }));
  });
}
