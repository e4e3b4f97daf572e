/** Security headers for browsers, on the responses of every operation in openapi.json and on all other responses. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import { test } from "node:test";
import { withoutOpenssl } from "../../kit/openssl.ts";
import { ownerOf, PASSWORD, signIn } from "../../people/people-kit.ts";
import { makeCertificate } from "../../platform/receiver.ts";
import { fileApi } from "../../kit/file-api.ts";
import { filled, leastOf, readDocument, resolved } from "../operations.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { openSocket } from "../../kit/started.ts";

const api = await fileApi({ hasPages: true });
const acme = await api.tenant();
const document = await readDocument(acme);

// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth
type Document = any;

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Document;
  readonly isNeverStored: boolean;
}

const operations: readonly Listed[] = Object.entries<Document>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => {
      const { headers = {} } = operation.responses["200"] ?? {};
      const isNeverStored = headers["Cache-Control"]?.description === "`no-store`.";
      return { method: method.toUpperCase(), path, operation, isNeverStored };
    }),
);

/** Returns the status and headers of a response whose body may never end. */
async function headersOf(path: string, init: RequestInit = {}) {
  const response = await fetch(api.url + path, { redirect: "manual", ...init });
  await response.body?.cancel();
  return { status: response.status, headers: response.headers };
}

/** Members that contain a secret, at any depth in a schema. */
const SECRETS = new Set(["token", "access_code", "secret", "recovery_codes", "link", "uri"]);

function hasSecret(given: Document): boolean {
  const schema = resolved(document, given);
  const names = Object.keys(schema?.properties ?? {});
  return names.some((name) => SECRETS.has(name) || hasSecret(schema.properties[name]));
}

test("every operation that returns a secret or sets a cookie is documented as no-store", () => {
  const unmarked = operations.filter(({ method, operation, isNeverStored }) => {
    const success = operation.responses["200"];
    const schema = success?.content?.["application/json"]?.schema;
    const setsCookie = success?.headers?.["Set-Cookie"] !== undefined;
    return !isNeverStored && (setsCookie || (method === "POST" && hasSecret(schema)));
  });
  assert.deepEqual(
    unmarked.map(({ operation }) => operation.operationId),
    [],
  );
  assert.ok(operations.filter(({ isNeverStored }) => isNeverStored).length >= 20);
});

test("every operation has nosniff, and no-store where it is documented", async () => {
  for (const { method, path, operation, isNeverStored } of operations) {
    const url = filled(path, () => "nothing");
    const schema = operation.requestBody?.content?.["application/json"]?.schema;
    const body = schema === undefined ? {} : { body: JSON.stringify(leastOf(document, schema)) };
    for (const authorization of [`Bearer ${acme.bearer}`, "Bearer none"]) {
      const headers = { authorization, "content-type": "application/json" };
      const got = await headersOf(url, { method, headers, ...body });
      const name = `${method} ${url} ${got.status}`;
      assert.equal(got.headers.get("x-content-type-options"), "nosniff", name);
      assert.notEqual(got.headers.get("x-request-id"), null, name);
      if (isNeverStored) assert.equal(got.headers.get("cache-control"), "no-store", name);
    }
  }
});

test("secrets that are shown are stored by no cache, replayed responses included", async () => {
  const tenant = await api.tenant();
  await ownerOf(api, tenant, "ada@example.com");
  const token = { name: "one", permissions: ["records:read"] };
  const headers = { "idempotency-key": "one", "content-type": "application/json" };
  const keyed = {
    method: "POST",
    path: "/crm/admin/access_tokens",
    headers,
    body: JSON.stringify(token),
  };
  const { body: lead } = ok(await tenant.post("/crm/leads", { name: "A", ssn: "123-45-6789" }));
  const partner = { name: "P", allowed_marketing_sources: [] };
  const reader = await tenant.token(["records:read", "ssn:read"]);
  const shown = [
    await tenant.request(keyed),
    await tenant.request(keyed),
    await tenant.post("/crm/admin/partners", partner),
    await tenant.post("/crm/admin/import_webhook/secret"),
    await tenant.post("/crm/admin/people", { name: "B", email: "b@example.com", role: "viewer" }),
    await signIn(tenant, { email: "ada@example.com", password: PASSWORD }),
    await reader.get(`/crm/leads/${lead._id}`, { reveal: "ssn" }),
  ];
  assert.equal(shown[1]?.headers.get("idempotency-replayed"), "true");
  for (const answer of shown) {
    assert.equal(ok(answer).headers.get("cache-control"), "no-store", answer.text);
  }
  assert.equal(ok(await reader.get(`/crm/leads/${lead._id}`)).headers.get("cache-control"), null);
});

const PAGE = { accept: "text/html" };

test("everything that is not an operation has nosniff, and pages are shown in no frame", async () => {
  const page = await fetch(`${api.url}/`, { headers: PAGE });
  const [script = ""] = /\/assets\/[\w-]+\.js/.exec(await page.text()) ?? [];
  assert.notEqual(script, "");
  const others: readonly (readonly [path: string, init: RequestInit, status: number])[] = [
    ["/", { headers: PAGE }, 200],
    ["/partner/sign-in", { headers: PAGE }, 200],
    ["/docs", { headers: PAGE }, 301],
    ["/docs/", { headers: PAGE }, 200],
    ["/docs/nothing", { headers: PAGE }, 404],
    ["/docs", { method: "POST" }, 405],
    [script, {}, 200],
    ["/favicon.svg", {}, 200],
    ["/assets/nothing.js", {}, 404],
    ["/openapi.json", {}, 200],
    ["/healthz", {}, 200],
    ["/readyz", {}, 200],
    ["/metrics", {}, 200],
    ["/nothing", {}, 404],
    ["/crm/leads/%zz", {}, 404],
    ["/crm/leads", { method: "POST", body: "{" }, 401],
    ["/crm/leads", { method: "HEAD" }, 401],
    ["/crm/nothing", { method: "DELETE" }, 404],
  ];
  for (const [path, init, status] of others) {
    const got = await headersOf(path, init);
    const name = `${init.method ?? "GET"} ${path}`;
    assert.equal(got.status, status, name);
    assert.equal(got.headers.get("x-content-type-options"), "nosniff", name);
    if (got.headers.get("content-type")?.startsWith("text/html") !== true) continue;
    assert.equal(got.headers.get("x-frame-options"), "DENY", name);
    assert.match(got.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, name);
  }
});

test("a response to an invalid HTTP request has nosniff, too", async (t) => {
  const { hostname, port } = new URL(api.url);
  const socket = openSocket(t, port, hostname);
  socket.write("nonsense\r\n\r\n");
  const [data] = (await once(socket, "data")) as [Buffer];
  assert.match(data.toString(), /^HTTP\/1\.1 400 [^]*\r\nx-content-type-options: nosniff\r\n/);
});

/** Returns the Strict-Transport-Security header of the response to a request with this Host header. */
const hstsOf = async (url: string, host: string): Promise<unknown> => {
  const { port } = new URL(url);
  const to = { host: "127.0.0.1", port, path: "/healthz", rejectUnauthorized: false };
  const sent = httpsRequest({ ...to, headers: { host }, agent: false }).end();
  const [response] = await once(sent, "response");
  response.resume();
  return response.headers["strict-transport-security"];
};

test(
  "over its own TLS the service asks for https, but only for host names",
  { skip: withoutOpenssl },
  async (t) => {
    const tls = makeCertificate(t, "crm.example.com");
    const on = await startOwnApp(t, { url: api.databaseUrl, tls });
    const off = await startOwnApp(t, { url: api.databaseUrl, tls, hsts: false });
    for (const host of ["crm.example.com", "CRM.example.com:8443", "crm.example.com."]) {
      assert.equal(await hstsOf(on.url, host), "max-age=31536000", host);
      assert.equal(await hstsOf(off.url, host), undefined, host);
    }
    for (const host of [
      "localhost",
      "LOCALHOST:1",
      "a.localhost",
      "127.0.0.1:1",
      "10.0.0.1",
      "[::1]:1",
    ]) {
      assert.equal(await hstsOf(on.url, host), undefined, host);
    }
    assert.equal((await headersOf("/healthz")).headers.get("strict-transport-security"), null);
  },
);
