/**
 * The exact responses to invalid requests, which clients may compare. Only the `ctx` of `json_invalid` errors may
 * differ.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { spelled } from "./checks.ts";
import { LEAD_STATUSES } from "./enums.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const acme = await api.tenant();

const JSON_BODY = { "content-type": "application/json" };
const post = (body: string | undefined, headers: Record<string, string> = JSON_BODY) => ({
  method: "POST",
  path: "/crm/leads",
  headers,
  body,
});
const get = (query: string) => ({ method: "GET", path: `/crm/leads?${query}` });
const patch = (id: string, body: string) => ({
  method: "PATCH",
  path: `/crm/leads/${id}`,
  headers: JSON_BODY,
  body,
});
const EXPECTED = spelled(LEAD_STATUSES);
const elevenTags = Array.from({ length: 11 }, () => "x");

/** Recorded requests: a name, the request, and the problems in the response. */
const RECORDED = [
  [
    "page_size=0",
    get("page_size=0"),
    {
      type: "greater_than_equal",
      loc: ["query", "page_size"],
      msg: "Input should be greater than or equal to 1",
      input: "0",
      ctx: { ge: 1 },
    },
  ],
  [
    "page_size=501&page_num=0",
    get("page_size=501&page_num=0"),
    {
      type: "less_than_equal",
      loc: ["query", "page_size"],
      msg: "Input should be less than or equal to 500",
      input: "501",
      ctx: { le: 500 },
    },
    {
      type: "greater_than_equal",
      loc: ["query", "page_num"],
      msg: "Input should be greater than or equal to 1",
      input: "0",
      ctx: { ge: 1 },
    },
  ],
  [
    "page_size=abc",
    get("page_size=abc"),
    {
      type: "int_parsing",
      loc: ["query", "page_size"],
      msg: "Input should be a valid integer, unable to parse string as an integer",
      input: "abc",
    },
  ],
  [
    "eval_object_id=maybe",
    get("eval_object_id=maybe"),
    {
      type: "bool_parsing",
      loc: ["query", "eval_object_id"],
      msg: "Input should be a valid boolean, unable to interpret input",
      input: "maybe",
    },
  ],
  [
    "no body",
    post(undefined),
    { type: "missing", loc: ["body"], msg: "Field required", input: null },
  ],
  [
    "missing name",
    post("{}"),
    { type: "missing", loc: ["body", "name"], msg: "Field required", input: {} },
  ],
  [
    "bad enum",
    post('{"name":"a","status":"zzz"}'),
    {
      type: "enum",
      loc: ["body", "status"],
      msg: `Input should be ${EXPECTED}`,
      input: "zzz",
      ctx: { expected: EXPECTED },
    },
  ],
  [
    "11 tags",
    post(JSON.stringify({ name: "a", tags: elevenTags })),
    {
      type: "too_long",
      loc: ["body", "tags"],
      msg: "List should have at most 10 items after validation, not 11",
      input: elevenTags,
      ctx: { field_type: "List", max_length: 10, actual_length: 11 },
    },
  ],
  [
    "name int",
    post('{"name":5}'),
    { type: "string_type", loc: ["body", "name"], msg: "Input should be a valid string", input: 5 },
  ],
  [
    "name null",
    post('{"name":null}'),
    {
      type: "string_type",
      loc: ["body", "name"],
      msg: "Input should be a valid string",
      input: null,
    },
  ],
  [
    "array body",
    post("[1]"),
    {
      type: "model_attributes_type",
      loc: ["body"],
      msg: "Input should be a valid dictionary or object to extract fields from",
      input: [1],
    },
  ],
  [
    "text body",
    post('{"name":"a"}', { "content-type": "text/plain" }),
    {
      type: "model_attributes_type",
      loc: ["body"],
      msg: "Input should be a valid dictionary or object to extract fields from",
      input: '{"name":"a"}',
    },
  ],
  [
    "email long",
    post(JSON.stringify({ name: "a", email: "x".repeat(255) })),
    {
      type: "string_too_long",
      loc: ["body", "email"],
      msg: "String should have at most 254 characters",
      input: "x".repeat(255),
      ctx: { max_length: 254 },
    },
  ],
  [
    "long id",
    patch("a".repeat(101), '{"name":"a"}'),
    {
      type: "string_too_long",
      loc: ["path", "lead_id"],
      msg: "String should have at most 100 characters",
      input: "a".repeat(101),
      ctx: { max_length: 100 },
    },
  ],
] as const;

for (const [name, request, ...detail] of RECORDED) {
  // docs/errors.md#422-invalid-requests
  test(`${name} returns the recorded response`, async () => {
    const reply = await acme.request(request);
    assert.equal(reply.status, 422);
    assert.match(reply.headers.get("content-type") ?? "", /^application\/json/);
    assert.deepEqual(reply.body, { detail });
  });
}

// docs/errors.md#422-invalid-requests
test("bad json returns the recorded response, except ctx", async () => {
  const reply = await acme.request(post("{bad"));
  const { detail } = reply.body as { detail: { ctx?: unknown }[] };
  assert.equal(reply.status, 422);
  assert.equal(detail.length, 1);
  const { ctx: _, ...fault } = detail[0]!;
  assert.deepEqual(fault, {
    type: "json_invalid",
    loc: ["body", 1],
    msg: "JSON decode error",
    input: {},
  });
});

// docs/requests.md#credentials
test("a request without a credential returns the recorded 401 with WWW-Authenticate", async () => {
  const reply = await acme.request({
    method: "GET",
    path: "/crm/leads",
    headers: { authorization: null },
  });
  assert.equal(reply.status, 401);
  assert.ok(reply.headers.get("www-authenticate"));
  assert.deepEqual(reply.body, { detail: "Not authenticated" });
});

// docs/errors.md#by-status
test("400, 404 and 405 return the recorded responses", async () => {
  const empty = await acme.request(patch("0".repeat(24), "{}"));
  assert.equal(empty.status, 400);
  assert.deepEqual(empty.body, { detail: "No fields provided for update" });
  const nowhere = await acme.request({ method: "GET", path: "/nowhere" });
  assert.equal(nowhere.status, 404);
  assert.deepEqual(nowhere.body, { detail: "Not Found" });
  const wrong = await acme.request({ method: "DELETE", path: "/crm/leads" });
  assert.equal(wrong.status, 405);
  assert.deepEqual(wrong.body, { detail: "Method Not Allowed" });
  assert.deepEqual(
    ["GET", "POST"].filter((name) => wrong.headers.get("allow")?.includes(name)),
    ["GET", "POST"],
  );
});

// docs/errors.md#422-invalid-requests
test("invalid types, pages, ids and missing fields return HTTPValidationErrors", async () => {
  const cases = [
    post('{"name":["a"]}'),
    get("page_size=0"),
    get("page_size=501"),
    get("page_num=0"),
    patch("a".repeat(101), '{"name":"a"}'),
    patch("", '{"name":"a"}'),
    post("{}"),
  ];
  for (const request of cases) {
    const reply = await acme.request(request);
    assert.equal(reply.status, 422, reply.text);
    const { detail } = reply.body as { detail: { loc: unknown; msg: unknown; type: unknown }[] };
    for (const { loc, msg, type } of detail) {
      assert.ok(Array.isArray(loc));
      assert.deepEqual([typeof msg, typeof type], ["string", "string"]);
    }
  }
});
