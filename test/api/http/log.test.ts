/**
 * The log shows the caller, the operation and the address of each request, but contains no email address, phone number
 * or secret.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { loggedError } from "../../../src/platform/errors/logged-error.ts";
import { loggedAddress } from "../../../src/platform/http/request-log.ts";
import { partnerOf } from "../../exchange/partner-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { ownerOf } from "../../people/people-kit.ts";
import { filled, readDocument } from "../operations.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";

const api = await fileApi({ rateLimit: 0, trustedProxies: ["127.0.0.1"] });
const acme = await api.tenant();
const document = await readDocument(acme);

type Line = Readonly<Record<string, unknown>>;

const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** Returns the log line of the request with this id. */
async function lineOf(id: string | null): Promise<Line> {
  const find = () => linesOf(api.log()).find(({ reqId, msg }) => reqId === id && msg === "request");
  return (await eventually(find, (line) => line !== undefined)) as Line;
}

const EMAIL = "ann.lee@example.com";
const PHONE = "+1 (500) 555-0006";
/** An email address and a phone number in several formats, raw and URL-encoded. */
const VALUES = [EMAIL, encodeURIComponent(EMAIL), "+15005550006", encodeURIComponent(PHONE)];
const PERSONAL = /ann\.lee|example\.com|555-?0006|5550006/i;
const hasPersonalData = (text: string): boolean => PERSONAL.test(text);

test("no operation logs an email address or a phone number in a path parameter", async () => {
  const requests = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) =>
      Object.keys(methods).flatMap((method) =>
        VALUES.map((value) => ({
          method: method.toUpperCase(),
          route: path.replaceAll(/\{(\w+)\}/g, ":$1"),
          path: filled(path, (other) => (other === name ? value : "0".repeat(24))),
        })),
      ),
    ),
  );
  assert.ok(requests.length > 200, `${requests.length} requests`);
  for (const { method, path, route } of requests) {
    const body = method === "GET" || method === "DELETE" ? undefined : "{}";
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const response = await acme.request({ method, path, headers, body });
    const line = await lineOf(response.headers.get("x-request-id"));
    const shown = route.split("/").map((part) => (part.startsWith(":") ? undefined : part));
    for (const [at, part] of String(line["path"]).split("/").entries()) {
      assert.ok(
        part === (shown[at] ?? part),
        `${method} ${path} is logged as ${String(line["path"])}`,
      );
    }
  }
  assert.ok(!hasPersonalData(api.log()));
});

test("unknown paths are logged without possible personal data", async () => {
  for (const [path, logged] of [
    [`/crm/lead/by/email/${EMAIL}?q=${EMAIL}`, "/crm/lead/by/email/*"],
    ["/crm/leads/555-0006/x", "/crm/leads/*/x"],
    ["/Ann%20Lee", "/*"],
  ] as const) {
    const response = await acme.get(path);
    const line = await lineOf(response.headers.get("x-request-id"));
    assert.equal(line["path"], logged);
  }
  assert.ok(!hasPersonalData(api.log()));
});

test("a line names the tenant, the credential and the address, for every kind of credential", async () => {
  const [{ id: tokenId } = { id: "" }] = await api.sql<{ id: string }[]>`
    select id from access_tokens where tenant_id = ${acme.tenantId} order by id limit 1`;
  const page = await ownerOf(api, acme, "owner@acme.test");
  const [{ id: sessionId } = { id: "" }] = await api.sql<{ id: string }[]>`
    select id from sessions where tenant_id = ${acme.tenantId}`;
  const partner = await partnerOf(acme);
  const from = { "x-forwarded-for": "203.0.113.77" };
  const record = ok(await acme.post("/crm/leads", { name: "Known" })).body._id;
  const cases = [
    [
      await acme.request({ method: "GET", path: `/crm/leads/${record}`, headers: from }),
      `token ${tokenId}`,
    ],
    [await page.get("/crm/leads", from), `session ${sessionId}`],
    [await page.get("/auth/sessions", from), `session ${sessionId}`],
    [
      await partner.request({ method: "GET", path: "/crm/partner/pushed", headers: from }),
      `partner ${partner.partner_id}`,
    ],
  ] as const;
  for (const [response, credential] of cases) {
    assert.equal(response.status, 200, response.text);
    const line = await lineOf(response.headers.get("x-request-id"));
    const { tenant, address } = line;
    assert.deepEqual(
      { tenant, credential: line["credential"], address },
      { tenant: acme.tenantId, credential, address: "203.0.113.77" },
    );
  }
  const known = await lineOf(cases[0][0].headers.get("x-request-id"));
  assert.equal(known["path"], `/crm/leads/${record}`, "an id is logged");
  const { cookie = "" } = page;
  const [, session = ""] = cookie.split("=");
  for (const secret of [acme.bearer, session, partner.token, partner.access_code]) {
    assert.ok(!api.log().includes(secret));
  }
});

test("a rejected caller is logged with its credential, an unknown one without", async () => {
  const reader = await acme.token(["records:read"]);
  const refused = await reader.post("/crm/leads", { name: "No" });
  assert.equal(refused.status, 403);
  const line = await lineOf(refused.headers.get("x-request-id"));
  assert.match(String(line["credential"]), /^token [0-9a-f]{24}$/);
  const stranger = await acme.request({
    method: "GET",
    path: "/crm/leads",
    headers: { authorization: "Bearer lp_unknown" },
  });
  const unknown = await lineOf(stranger.headers.get("x-request-id"));
  assert.deepEqual([unknown["tenant"], unknown["credential"]], [undefined, undefined]);
  assert.equal(unknown["status"], 401);
});

test("a 500 is logged with its constraint and its caller, without the values of the row", async () => {
  await api.sql`alter table leads add constraint none check (name <> 'Ann Broken')`;
  const body = { name: "Ann Broken", email: EMAIL, phone: "+15005550006" };
  const response = await acme.post("/crm/leads", body);
  await api.sql`alter table leads drop constraint none`;
  assert.equal(response.status, 500);
  const id = response.headers.get("x-request-id");
  const line = linesOf(api.log()).find(({ reqId, msg }) => reqId === id && msg !== "request");
  const err = line?.["err"] as Line;
  assert.deepEqual([err["code"], err["constraint_name"]], ["23514", "none"]);
  assert.equal(line?.["tenant"], acme.tenantId);
  assert.ok(!hasPersonalData(api.log()));
  assert.ok(!api.log().includes("Ann Broken"));
});

test("errors of the database and of mail servers are logged without their values", async () => {
  const failures = [
    api.sql`select ${EMAIL}::text::bigint`,
    api.sql.unsafe(`select jsonb '{"a": ${EMAIL}}'`),
    api.sql`insert into tenants (id) select id from tenants limit 1`,
  ];
  for (const failure of failures) {
    const error: unknown = await failure.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const shown = loggedError(error) as Line;
    assert.match(String(shown["code"]), /^2/);
    assert.match(String(shown["stack"]), /\n +at /);
    assert.doesNotMatch(JSON.stringify(shown), new RegExp(`${PERSONAL.source}|${acme.tenantId}`));
  }
  const mail = Object.assign(new Error(`550 <${EMAIL}> ${PHONE}: no such user`), {
    rejected: [EMAIL],
    response: `550 <${EMAIL}>`,
    responseCode: 550,
    cause: new AggregateError([new Error(EMAIL)], EMAIL),
  });
  const shown = loggedError(mail) as Line;
  assert.equal(shown["message"], "550 <[email]> [phone]: no such user");
  assert.equal(shown["responseCode"], 550);
  assert.doesNotMatch(JSON.stringify(shown), PERSONAL);
});

test("addresses are logged in full, as their network, or not at all", () => {
  for (const [address, short] of [
    ["203.0.113.77", "203.0.113.0/24"],
    ["::ffff:203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8::6", "2001:db8:0::/48"],
    ["::1", "0:0:0::/48"],
    ["fe80::1%eth0", "fe80:0:0::/48"],
  ] as const) {
    assert.equal(loggedAddress(address, "short"), short);
    assert.equal(loggedAddress(address, "full"), address);
    assert.equal(loggedAddress(address, "off"), undefined);
  }
});

test("LOG_ADDRESSES applies to the lines of requests", async (t) => {
  for (const [logAddresses, address] of [
    ["short", "198.51.100.0/24"],
    ["off", undefined],
  ] as const) {
    const trusted = { trustedProxies: ["127.0.0.1"], logAddresses };
    const other = await startOwnApp(t, { url: api.databaseUrl, ...trusted });
    await fetch(`${other.url}/healthz`, { headers: { "x-forwarded-for": "198.51.100.9" } });
    const find = () => linesOf(other.log()).find(({ msg }) => msg === "request");
    const line = await eventually(find, (found) => found !== undefined);
    assert.equal(line?.["address"], address);
    assert.ok(!other.log().includes("198.51.100.9"));
  }
});
