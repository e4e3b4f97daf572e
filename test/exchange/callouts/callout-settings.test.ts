/** Configuring a tenant's endpoints, and how responses show their secrets. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import { CHECK, newSecret, sentencesOf, setCheck, setWebhook, WEBHOOK } from "./callout-kit.ts";

const api = await fileApi();
const SETTINGS = [WEBHOOK, CHECK] as const;
const nameOf = (path: string): string => path.split("/").at(-1) ?? "";

const DEFAULTS: Readonly<Record<string, Body>> = {
  [WEBHOOK]: {
    enabled: false,
    url: null,
    method: "POST",
    headers: {},
    body_template:
      '{"id": {{id}}, "name": {{name}}, "email": {{email}}, "phone": {{phone}}, ' +
      '"partner_id": {{partner_id}}, "lead_source": {{lead_source}}, "description": {{description}}}',
    raw_template: false,
    timeout_s: 10,
    secrets: [],
  },
  [CHECK]: {
    enabled: false,
    url: null,
    method: "POST",
    headers: {},
    body_template: '{"name": {{name}}, "email": {{email}}, "phone": {{phone}}}',
    raw_template: false,
    timeout_s: 10,
    exists_pointer: "/exists",
    name_pointer: "/name",
    active_pointer: "/active",
    on_error: "fail",
  },
};
const UNSET = { updated_ts: null, updated_date: null };

const FULL: Readonly<Record<string, Body>> = {
  [WEBHOOK]: {
    enabled: true,
    url: "https://hooks.example.com/leads?from=leadport",
    method: "PUT",
    headers: { Authorization: "Bearer s3cret-Value", "Content-Type": "text/xml", "X-Empty": "" },
    body_template: "<lead id='{{id}}'>{{name}}</lead>",
    raw_template: false,
    timeout_s: 2.5,
  },
  [CHECK]: {
    enabled: true,
    url: "http://127.0.0.1:9/known",
    method: "PUT",
    headers: { "X-Api-Key": "s3cret-Value" },
    body_template: '{"q": "{{email}} {{phone}}"}',
    raw_template: false,
    timeout_s: 30,
    exists_pointer: "/hits",
    name_pointer: "/hits/0/full~1name",
    active_pointer: "",
    on_error: "own_records",
  },
};

const numbered = (count: number): Body =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, "1"]));

const CHECK_ONLY: readonly (readonly [fields: Body, fault: RegExp])[] = [
  [{ exists_pointer: "exists" }, /^exists_pointer: a JSON Pointer \(RFC 6901\), such as /],
  [{ name_pointer: "/a~2" }, /^name_pointer: a JSON Pointer \(RFC 6901\), such as /],
  [{ active_pointer: 1 }, /^active_pointer: Input should be a valid string$/],
  [{ exists_pointer: `/${"x".repeat(500)}` }, /^exists_pointer: String should have at most 500/],
  [{ on_error: "ignore" }, /^on_error: Input should be 'fail' or 'own_records'$/],
  [{ body_template: '{"id": {{id}}}' }, /^body_template: unknown placeholder {{id}}; /],
];

const masked = (headers: unknown): Body =>
  Object.fromEntries(
    Object.entries(headers as Body).map(([name, value]) => [
      name,
      name === "Content-Type" ? value : "***",
    ]),
  );

const audit = async (client: Client, path: string): Promise<Body[]> =>
  ok(await client.get("/crm/admin/audit", { subject_type: nameOf(path) })).body;

const fieldsOf = (entry: Body | undefined) => entry?.["fields"] as Body;

async function storedOf({ tenantId }: Client): Promise<string> {
  const rows = await api.sql`select * from tenant_settings where tenant_id = ${tenantId}`;
  return JSON.stringify(rows);
}

for (const path of SETTINGS) {
  test(`${nameOf(path)}: before it is set up it is disabled, with its defaults`, async () => {
    const acme = await api.tenant();
    assert.deepEqual(ok(await acme.get(path)).body, { ...DEFAULTS[path], ...UNSET });
    assert.deepEqual(await audit(acme, path), []);
  });

  test(`${nameOf(path)}: a PUT replaces everything, and GET returns the same`, async () => {
    const acme = await api.tenant();
    const full = FULL[path] ?? {};
    const { updated_ts, updated_date, ...told } = ok(await acme.put(path, full)).body;
    const secrets = path === WEBHOOK ? { secrets: [] } : {};
    assert.deepEqual(told, { ...full, headers: masked(full["headers"]), ...secrets });
    assert.ok(Math.abs(updated_ts - Date.now() / 1000) < 30);
    assert.equal(Date.parse(updated_date), updated_ts * 1000);
    assert.deepEqual(ok(await acme.get(path)).body, { ...told, updated_ts, updated_date });
    const short = ok(await acme.put(path, { enabled: false })).body;
    assert.deepEqual({ ...short, ...UNSET }, { ...DEFAULTS[path], ...UNSET });
    const nulls = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    const nulled = ok(await acme.put(path, { ...nulls, enabled: false })).body;
    assert.deepEqual({ ...nulled, ...UNSET }, { ...DEFAULTS[path], ...UNSET });
  });

  test(`${nameOf(path)}: header values are sealed in the database and never shown`, async () => {
    const acme = await api.tenant();
    const answer = await acme.put(path, FULL[path]);
    const seen = [answer.text, (await acme.get(path)).text, await storedOf(acme)];
    seen.push(JSON.stringify(await audit(acme, path)), api.log());
    for (const text of seen) assert.doesNotMatch(text, /s3cret/);
    const [row] = await api.sql`
      select sealed from tenant_settings where tenant_id = ${acme.tenantId}`;
    assert.match(row?.["sealed"], /^[A-Za-z0-9+/]{40,}=*$/);
    assert.doesNotMatch(Buffer.from(row?.["sealed"], "base64").toString("latin1"), /s3cret/);
  });

  test(`${nameOf(path)}: changes are logged with user and fields, and secrets are masked; without a change nothing is logged`, async () => {
    const acme = await api.tenant();
    const body = { ...FULL[path], headers: { "X-Key": "one", "content-type": "application/json" } };
    const set = { ...body, body_template: "{}" };
    ok(await acme.put(path, set));
    ok(await acme.put(path, set));
    ok(await acme.put(path, { ...set, timeout_s: 7 }));
    ok(await acme.put(path, { ...set, timeout_s: 7, headers: { ...set.headers, "X-Key": "two" } }));
    const entries = await audit(acme, path);
    assert.equal(entries.length, 3);
    const [other, slower, first] = entries;
    const shown = { "X-Key": "***", "content-type": "application/json" };
    assert.deepEqual(fieldsOf(other), { headers: { old: shown, new: shown } });
    const old_s = FULL[path]?.["timeout_s"];
    assert.deepEqual(fieldsOf(slower), { timeout_s: { old: old_s, new: 7 } });
    assert.deepEqual(fieldsOf(first)["enabled"], { old: false, new: true });
    assert.deepEqual(fieldsOf(first)["url"], { old: null, new: FULL[path]?.["url"] });
    assert.deepEqual(fieldsOf(first)["headers"], { old: {}, new: shown });
    for (const { action, actor, subject_id } of entries) {
      assert.deepEqual([action, subject_id], ["updated", nameOf(path)]);
      assert.equal((actor as Body)["kind"], "token");
    }
  });

  test(`${nameOf(path)}: needs admin permission, and belongs to the tenant`, async () => {
    const acme = await api.tenant();
    const rival = await api.tenant();
    for (const permissions of [["exchange:review"], ["records:write", "ssn:read"]]) {
      const clerk = await acme.token(permissions);
      const calls = [
        clerk.get(path),
        clerk.put(path, { enabled: false }),
        clerk.post(`${path}/test`),
      ];
      if (path === WEBHOOK) calls.push(clerk.post(`${path}/secret`));
      for (const { status } of await Promise.all(calls)) assert.equal(status, 403);
    }
    const admin = await acme.token(["admin"]);
    ok(await admin.put(path, FULL[path]));
    assert.deepEqual(ok(await rival.get(path)).body, { ...DEFAULTS[path], ...UNSET });
    ok(await rival.put(path, { enabled: false, url: "https://rival.example.com/" }));
    assert.equal(ok(await admin.get(path)).body.url, FULL[path]?.["url"]);
  });

  test(`${nameOf(path)}: all errors are returned together`, async () => {
    const acme = await api.tenant();
    const wrong = {
      enabled: "yes",
      url: "https://10.0.0.1/in",
      method: "GET",
      headers: { "X Y": "a", Host: "example.com", "x-a": "two\r\nlines", "x-b": 1 },
      body_template: "{{nmae}}",
      timeout_s: 31,
      extra: true,
    };
    const names = String(DEFAULTS[path]?.["body_template"]).match(/\{\{\w+\}\}/g);
    assert.deepEqual(sentencesOf(await acme.put(path, wrong)), [
      "enabled: Input should be a valid boolean",
      "url: 10.0.0.1 is a private address, which is blocked; to allow 10.0.0.1, add it to the environment variable OUTGOING_ALLOW and restart the service",
      "method: Input should be 'POST' or 'PUT'",
      "headers.X Y: this is not a valid header name",
      "headers.Host: Leadport sets this header itself; leave it out",
      "headers.x-a: a header value may contain only visible ASCII characters, with spaces between them",
      "headers.x-b: Input should be a valid string",
      `body_template: unknown placeholder {{nmae}}; available are ${names?.join(", ")}`,
      "timeout_s: Input should be less than or equal to 30",
      "extra: Extra inputs are not permitted",
    ]);
    assert.deepEqual(ok(await acme.get(path)).body, { ...DEFAULTS[path], ...UNSET });
  });

  /** Invalid settings, each with the single error it causes. */
  const REFUSED: readonly (readonly [fields: Body, fault: RegExp])[] = [
    [{ enabled: undefined }, /^enabled: Field required$/],
    [{ enabled: true, url: null }, /^url: a URL is required when enabled is true$/],
    [{ enabled: true, url: undefined }, /^url: a URL is required when enabled is true$/],
    [{ url: "hooks.example.com" }, /^url: the URL must look like https:/],
    [{ url: "" }, /^url: /],
    [{ url: "ftp://example.com/" }, /^url: the URL must look like https:/],
    [{ url: "http://example.com/" }, /^url: the URL must start with https:/],
    [{ url: "https://user:pw@example.com/" }, /^url: the URL must not contain a user name/],
    [{ url: "https://169.254.169.254/latest" }, /^url: 169\.254\.169\.254 is /],
    [{ url: "https://[::ffff:10.0.0.1]/" }, /^url: .* which is blocked$/],
    [{ url: "https://0x0a.1/" }, /^url: 10\.0\.0\.1 is /],
    [{ url: `https://example.com/${"x".repeat(2048)}` }, /^url: String should have at most 2048/],
    [{ url: 7 }, /^url: Input should be a valid string$/],
    [{ method: "post" }, /^method: Input should be 'POST' or 'PUT'$/],
    [{ timeout_s: 0 }, /^timeout_s: Input should be greater than or equal to 1$/],
    [{ timeout_s: "5" }, /^timeout_s: Input should be a valid number$/],
    [{ headers: [] }, /^headers: Input should be a valid dictionary$/],
    [{ headers: { "": "x" } }, /^headers\.: this is not a valid header name$/],
    [{ headers: { "x:y": "x" } }, /^headers\.x:y: this is not a valid header name$/],
    [{ headers: { "x\ny": "x" } }, /^headers\.x\ny: this is not a valid header name$/],
    [{ headers: { "x-é": "x" } }, /^headers\.x-é: this is not a valid header name$/],
    [{ headers: { "x-a": "é" } }, /^headers\.x-a: a header value /],
    [{ headers: { "x-a": " x" } }, /^headers\.x-a: a header value /],
    [{ headers: { "x-a": "x\0" } }, /^headers\.x-a: /],
    [{ headers: { "x-a": "x".repeat(4097) } }, /^headers\.x-a: String should have at most 4096/],
    [
      { headers: { "Content-Length": "3" } },
      /^headers\.Content-Length: Leadport sets this header itself; /,
    ],
    [
      { headers: { "WebHook-Signature": "x" } },
      /^headers\.WebHook-Signature: Leadport sets this header itself; /,
    ],
    [
      { headers: { "Transfer-Encoding": "x" } },
      /^headers\.Transfer-Encoding: Leadport sets this header itself; /,
    ],
    [
      { headers: { "Proxy-Authorization": "x" } },
      /^headers\.Proxy-Authorization: Leadport sets this header itself; /,
    ],
    [{ headers: { "X-Key": "***" } }, /^headers\.X-Key: no value is stored for this header; /],
    [
      { headers: { "Content-Type": "***" } },
      /^headers\.Content-Type: this is not a media type such as /,
    ],
    [
      { headers: { "content-type": "" } },
      /^headers\.content-type: this is not a media type such as /,
    ],
    [
      { headers: { "content-type": "json" } },
      /^headers\.content-type: this is not a media type such as /,
    ],
    [{ headers: { "X-A": "1", "x-a": "2" } }, /^headers\.x-a: this header occurs more than once$/],
    [{ headers: numbered(51) }, /^headers: Dictionary should have at most 50 items/],
    [
      { body_template: "{{name}" },
      /^body_template: the content type is JSON, but this does not render to valid JSON: /,
    ],
    [{ body_template: `"${"x".repeat(65_535)}"` }, /^body_template: .* at most 65536 characters$/],
    [{ body_template: "{{password}}" }, /^body_template: unknown placeholder {{password}}; /],
    ...(path === CHECK ? CHECK_ONLY : []),
  ];

  test(`${nameOf(path)}: each error alone is rejected`, async () => {
    const acme = await api.tenant();
    for (const [fields, fault] of REFUSED) {
      const sentences = sentencesOf(await acme.put(path, { enabled: false, ...fields }));
      assert.equal(sentences.length, 1, sentences.join("\n"));
      assert.match(sentences[0] ?? "", fault);
    }
    assert.deepEqual(ok(await acme.get(path)).body, { ...DEFAULTS[path], ...UNSET });
  });
}

test("signing secrets are shown once, and the two newest are active", async () => {
  const acme = await api.tenant();
  const secrets: string[] = [];
  for (const active of [1, 2, 2]) {
    const answer = ok(await acme.post(`${WEBHOOK}/secret`));
    const { secret, created_ts, created_date, ...rest } = answer.body;
    assert.deepEqual(rest, { active });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(Date.parse(created_date), created_ts * 1000);
    secrets.push(secret);
  }
  assert.equal(new Set(secrets).size, 3);
  const told = ok(await acme.get(WEBHOOK));
  assert.deepEqual(
    told.body.secrets.map((one: Body) => Object.keys(one)),
    [
      ["created_ts", "created_date"],
      ["created_ts", "created_date"],
    ],
  );
  const log = await audit(acme, WEBHOOK);
  assert.deepEqual(
    log.map(({ fields }) => (fields as Record<string, Body>)["active"]?.["new"]),
    [2, 2, 1],
  );
  for (const text of [told.text, await storedOf(acme), JSON.stringify(log), api.log()]) {
    for (const secret of secrets) assert.ok(!text.includes(secret.slice(6)));
  }
});

test("setting up the webhook again keeps its secrets, and a new secret keeps the setup", async () => {
  const acme = await api.tenant();
  const url = "https://hooks.example.com/";
  await newSecret(acme);
  const { secrets } = await setWebhook(acme, { url, headers: { "X-Key": "one" } });
  assert.equal((secrets as Body[]).length, 1);
  await newSecret(acme);
  const { updated_ts: _, updated_date: __, ...told } = ok(await acme.get(WEBHOOK)).body;
  assert.deepEqual([told.enabled, told.url, told.headers], [true, url, { "X-Key": "***" }]);
  assert.equal(told.secrets.length, 2);
});

test("of two concurrent setups one is stored completely, with an entry for each change", async () => {
  const acme = await api.tenant();
  const bodies = Array.from({ length: 8 }, (_, at) => ({
    url: `https://hooks.example.com/${at}`,
    headers: { [`x-${at}`]: "1" },
  }));
  await Promise.all(bodies.flatMap((body) => [setCheck(acme, body), setWebhook(acme, body)]));
  for (const path of SETTINGS) {
    const { url, headers } = ok(await acme.get(path)).body;
    assert.deepEqual(Object.keys(headers), [`x-${url.split("/").at(-1)}`]);
    assert.equal((await audit(acme, path)).length, bodies.length);
  }
});
