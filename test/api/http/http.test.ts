/** Edge cases of HTTP and JSON: every request gets a response, and none returns 500. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { METHODS } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { RawRequest } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { openSocket, file } from "../../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();
const JSON_BODY = { "content-type": "application/json" };

/** Sends raw bytes to the server and returns everything it sends until it closes the connection. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket = openSocket(file, port, hostname);
  socket.setEncoding("utf8");
  let answer = "";
  socket.on("data", (chunk: string) => (answer += chunk));
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}

const authorised = (lines: readonly string[], body = ""): string =>
  [
    ...lines,
    "Host: localhost",
    `Authorization: Bearer ${acme.bearer}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");

interface Case extends Partial<RawRequest> {
  readonly what: string;
  readonly status: number;
  /** The type of the first issue, if the request returns 422. */
  readonly type?: string;
}

const lead = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) => ({
  method: "POST",
  path: "/crm/leads",
  headers: { ...JSON_BODY, ...headers },
  body,
});
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: "GET",
  path,
  headers,
});
const nested = (levels: number): string =>
  `{"name":"x","social_dict_list":[{"type":"a","url":"b","x":${"[".repeat(levels)}${"]".repeat(levels)}}]}`;

const CASES: readonly Case[] = [
  { what: "a body of 2 MiB", ...lead(JSON.stringify({ name: "x".repeat(2 ** 21) })), status: 413 },
  {
    what: "a body just below 1 MiB",
    ...lead(`{"name":"x"}${" ".repeat(2 ** 20 - 100)}`),
    status: 200,
  },
  {
    what: "headers of 100 KiB",
    ...get("/crm/leads?page_size=1", { "x-much": "x".repeat(100 * 1024) }),
    status: 200,
  },
  {
    what: "a query of 100 KiB",
    ...get(`/crm/leads?sort_dict=${"x".repeat(100 * 1024)}`),
    status: 422,
  },
  {
    what: "headers of 200 KiB",
    ...get("/crm/leads", { "x-much": "x".repeat(200 * 1024) }),
    status: 431,
  },
  { what: "a path that cannot be decoded", ...get("/crm/leads/%zz"), status: 404 },
  { what: "an overlong UTF-8 path", ...get("/crm/leads/%c0%af"), status: 404 },
  {
    what: "a query that cannot be decoded",
    ...get("/crm/leads?page_size=%zz"),
    status: 422,
    type: "int_parsing",
  },
  { what: "NUL in a path", ...get("/crm/leads/%00"), status: 422, type: "string_unicode" },
  {
    what: "prototype names in a query",
    ...get("/crm/leads?__proto__=1&constructor=2"),
    status: 422,
    type: "extra_forbidden",
  },
  { what: "an empty parameter", ...get("/crm/leads?page_size=&cursor="), status: 200 },
  { what: "a GET with a JSON content type", ...get("/crm/leads", JSON_BODY), status: 200 },
  { what: "OPTIONS", method: "OPTIONS", path: "/crm/leads", status: 405 },
  { what: "PROPFIND", method: "PROPFIND", path: "/crm/leads", status: 405 },
  {
    what: "DELETE of what cannot be deleted",
    method: "DELETE",
    path: `/crm/leads/${"0".repeat(24)}`,
    status: 405,
  },
  { what: "HEAD of a list", method: "HEAD", path: "/crm/leads", status: 200 },
  { what: "HEAD of a window", method: "HEAD", path: "/crm/leads/created", status: 200 },
  {
    what: "HEAD of what may only be posted",
    method: "HEAD",
    path: "/crm/opportunities",
    status: 405,
  },
  { what: "a trailing slash", ...get("/crm/leads/"), status: 404 },
  { what: "two slashes", ...get("//crm/leads"), status: 404 },
  { what: "another letter case", ...get("/CRM/leads"), status: 404 },
  {
    what: "a body that is compressed",
    ...lead(gzipSync('{"name":"x"}'), { "content-encoding": "gzip" }),
    status: 422,
    type: "json_invalid",
  },
  {
    what: "a body that is not UTF-8",
    ...lead(Buffer.from([0x7b, 0xff, 0xfe])),
    status: 422,
    type: "json_invalid",
  },
  { what: "a byte order mark", ...lead('\uFEFF{"name":"x"}'), status: 200 },
  { what: "an empty body", ...lead(""), status: 422, type: "missing" },
  {
    what: "JSON with a comma too many",
    ...lead('{"name":"x",}'),
    status: 422,
    type: "json_invalid",
  },
  { what: "JSON of another kind", ...lead("[1]"), status: 422, type: "model_attributes_type" },
  { what: "JSON that is null", ...lead("null"), status: 422, type: "model_attributes_type" },
  {
    what: "text that is no JSON",
    ...lead("nope", { "content-type": "text/plain" }),
    status: 422,
    type: "model_attributes_type",
  },
  {
    what: "a content type that is none",
    ...lead('{"name":"x"}', { "content-type": ";;;" }),
    status: 422,
    type: "model_attributes_type",
  },
  {
    what: "a JSON dialect",
    ...lead('{"name":"x"}', { "content-type": "application/merge-patch+json; charset=utf-8" }),
    status: 200,
  },
  { what: "nesting of 20 levels", ...lead(nested(17)), status: 200 },
  { what: "nesting of 21 levels", ...lead(nested(18)), status: 422, type: "value_error" },
  {
    what: "nesting of 300,000 levels",
    ...lead(`{"name":${"[".repeat(3e5)}${"]".repeat(3e5)}}`),
    status: 422,
  },
  {
    what: "a number that no double holds",
    ...lead('{"name":"x","decision_date":1e400}'),
    status: 422,
  },
  {
    what: "such a number where all is kept",
    ...lead('{"name":"x","social_dict_list":[{"type":"a","url":"b","n":-1e400}]}'),
    status: 422,
    type: "finite_number",
  },
  {
    what: "half a surrogate pair",
    ...lead('{"name":"\\ud800"}'),
    status: 422,
    type: "string_unicode",
  },
  { what: "NUL in a text", ...lead('{"name":"a\\u0000"}'), status: 422, type: "string_unicode" },
  {
    what: "NUL in a name",
    ...lead('{"name":"a","\\u0000":1}'),
    status: 422,
    type: "string_unicode",
  },
  {
    what: "a subject type named like a method",
    ...lead('{"name":"x","subject_type":"constructor","subject":"y"}'),
    path: "/crm/tasks",
    status: 200,
  },
  {
    what: "1,001 entries in a list",
    ...lead(
      JSON.stringify({
        name: "x",
        social_dict_list: Array.from({ length: 1001 }, () => ({ type: "a", url: "b" })),
      }),
    ),
    status: 422,
    type: "too_long",
  },
];

for (const { what, status, type, method = "GET", path = "/", headers, body } of CASES) {
  test(`${what}: ${status}${type === undefined ? "" : ` ${type}`}`, async () => {
    const answer = await acme.request({ method, path, ...(headers && { headers }), body });
    assert.equal(answer.status, status, answer.text.slice(0, 500));
    assert.ok(answer.headers.get("x-request-id"));
    if (status >= 400 && method !== "HEAD") {
      assert.deepEqual(Object.keys(answer.body), ["detail"]);
      assert.ok(answer.text.length < 5000);
    }
    if (type !== undefined) assert.equal(answer.body.detail[0].type, type);
    if (status === 405)
      assert.ok(answer.headers.get("allow")?.includes(path.includes("opp") ? "POST" : "GET"));
  });
}

test("methods that a path does not take return 405, and all return 404 on an unknown path", async (t) => {
  const { app, url } = await startOwnApp(t, { url: api.databaseUrl });
  const { paths } = app.swagger() as { paths: Record<string, object> };
  const statusOf = async (method: string, path: string) => {
    const answer = await fetch(url + path, { method });
    await answer.arrayBuffer();
    return { status: answer.status, allowed: answer.headers.get("allow")?.split(", ") };
  };
  // `fetch` supports neither CONNECT nor TRACE.
  for (const method of METHODS.filter((one) => one !== "CONNECT" && one !== "TRACE")) {
    assert.equal((await statusOf(method, "/nothing")).status, 404, method);
  }
  for (const [path, operations] of Object.entries(paths)) {
    const taken = Object.keys(operations).map((method) => method.toUpperCase());
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND"];
    for (const method of others.filter((one) => !taken.includes(one))) {
      const { status, allowed } = await statusOf(method, path.replaceAll(/[{}]/g, ""));
      const what = `${method} ${path} ${status}`;
      // 401 is also correct if the last part of the path, such as `batch`, can be an id in another operation's path.
      assert.ok(status === 405 || (status === 401 && !path.endsWith("}")), what);
      if (status === 405)
        assert.ok(
          taken.every((one) => allowed?.includes(one)),
          what,
        );
    }
  }
});

test("of a parameter that is sent twice the last one counts", async () => {
  assert.equal(ok(await acme.get("/crm/leads?page_size=0&page_size=3")).body.page_size, 3);
});

test("a chunked body is a body", async () => {
  const answer = await raw(
    authorised(
      ["POST /crm/leads HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked"],
      '8\r\n{"name":\r\n6\r\n"Ada"}\r\n0\r\n\r\n',
    ),
  );
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /"name":"Ada"/);
});

const BROKEN: Readonly<Record<string, string>> = {
  "a content length that is none": authorised(["POST /crm/leads HTTP/1.1", "Content-Length: five"]),
  "both lengths at once": authorised(
    ["POST /crm/leads HTTP/1.1", "Content-Length: 3", "Transfer-Encoding: chunked"],
    "0\r\n\r\n",
  ),
  "what is not HTTP": "hello\r\n\r\n",
};

for (const [what, bytes] of Object.entries(BROKEN)) {
  test(`${what} returns 400 in the form of every error, with an id that is logged`, async () => {
    const answer = await raw(bytes);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    const [, id] = /\r\nX-Request-Id: ([0-9a-f-]{36})\r\n/.exec(answer) ?? [];
    assert.match(api.log(), new RegExp(`"reqId":"${id}","status":400,"address":".+unreadable`));
    assert.deepEqual(JSON.parse(answer.split("\r\n\r\n")[1] ?? ""), { detail: "Bad Request" });
  });
}

test("a well-formed request id is returned, any other is replaced", async () => {
  const sane = await acme.request(get("/crm/leads", { "x-request-id": "order-7.3/a" }));
  assert.equal(sane.headers.get("x-request-id"), "order-7.3/a");
  for (const odd of ["a b", "x".repeat(200), "<script>"]) {
    const answer = await acme.request(get("/crm/leads", { "x-request-id": odd }));
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  }
});

const lines = (...hosts: readonly string[]) => hosts.map((host) => `${host}\r\n`).join("");

test("a request with more than one Host header returns 400, whatever it asks for", async () => {
  const two = [
    lines("Host: crm.example.com", "Host: attacker.example.net"),
    lines("Host: crm.example.com", "Host: crm.example.com"),
    lines("host: crm.example.com", "HOST: attacker.example.net"),
    lines("Host: crm.example.com", "X-Other: 1", "hOsT: "),
  ];
  const end = "Connection: close\r\n\r\n";
  for (const start of ["GET /healthz", "GET /crm/leads", "GET /nothing", "POST /auth/sign_in"]) {
    for (const hosts of two) {
      const answer = await raw(`${start} HTTP/1.1\r\n${hosts}${end}`);
      assert.match(answer, /^HTTP\/1\.1 400 [^]*The request has more than one Host header/, start);
    }
  }
  const one = await raw(`GET /healthz HTTP/1.1\r\nHost: crm.example.com\r\nXost: a\r\n${end}`);
  assert.match(one, /^HTTP\/1\.1 200 /);
});

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`no JSON that is sent to ${type.writePath} breaks it`, async () => {
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" });
    const known = fc.record(
      Object.fromEntries(Object.keys(type.fields).map((name) => [name, value])),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(known, value), async (body) => {
        const answer = await acme.post(type.writePath, body ?? null);
        assert.ok([200, 409, 422].includes(answer.status), `${answer.status} ${answer.text}`);
      }),
      { numRuns: 25 },
    );
  });

  test(`no query that is sent to ${type.writePath} breaks it`, async () => {
    const path = type.lists["all"]?.path ?? "";
    const names = [
      "match_filter_dict",
      "sort_dict",
      "page_size",
      "page_num",
      "start_date",
      "cursor",
      "eval_object_id",
    ];
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.integer().map(String));
    const query = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        const answer = await acme.get(`${path}?${new URLSearchParams(given).toString()}`);
        assert.ok([200, 422].includes(answer.status), `${answer.status} ${answer.text}`);
      }),
      { numRuns: 25 },
    );
  });
}
