/** Errors that validation-errors.test.ts does not cover: their order, limits and echoed input. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOBODY, account, lead } from "./cases.ts";
import { assertBlames, assertInvalid, assertRefused, create, idsOf, recordOf } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";
import { showsSsn } from "../kit/ssn.ts";

const api = await sharedApi();
const JSON_BODY = { "content-type": "application/json" };
const MIB = 1024 * 1024;
const raw = (method: string, path: string, body: string, headers = {}) => ({
  method,
  path,
  headers: { ...JSON_BODY, ...headers },
  body,
});
const faultsOf = (reply: { body?: unknown }) =>
  (reply.body as { detail: { type: string; loc: unknown[]; input?: unknown }[] }).detail;

// docs/requests.md#order-of-checks
test("401 comes before 403, 413 and 422", async () => {
  const acme = await api.tenant();
  const headers = { authorization: null };
  const get = await acme.request({ method: "GET", path: "/crm/leads?page_size=0", headers });
  assertRefused(get, 401);
  assertRefused(await acme.request(raw("POST", "/crm/leads", "{", headers)), 401);
  assertRefused(await acme.request(raw("POST", "/crm/leads", "x".repeat(MIB + 1), headers)), 401);
  assertRefused(await acme.request(raw("PATCH", `/crm/leads/${NOBODY}`, "{}", headers)), 401);
});

// docs/requests.md#order-of-checks
test("403 comes before 413, invalid JSON and 422, and names the permission", async () => {
  const acme = await api.tenant();
  const reader = await acme.token(["records:read"]);
  for (const body of ["{", "x".repeat(MIB + 1), '{"status":"zzz"}', '{"name":"Ada"}']) {
    const reply = await reader.request(raw("POST", "/crm/leads", body));
    assert.match(assertRefused(reply, 403), /records:write/);
  }
  assert.match(assertRefused(await reader.patch(`/crm/leads/${NOBODY}`, {}), 403), /records:write/);
  assert.deepEqual(idsOf(await reader.get("/crm/leads")), []);
  const reviewer = await acme.token(["exchange:review"]);
  assert.match(assertRefused(await reviewer.get("/crm/leads"), 403), /records:read/);
});

// docs/requests.md#order-of-checks
test("a body over 1 MiB returns 413 before its JSON is read", async () => {
  const acme = await api.tenant();
  assertRefused(await acme.request(raw("POST", "/crm/leads", "x".repeat(MIB + 1))), 413);
  const fits = JSON.stringify({ name: "Ada", comments: "" });
  const exact = fits.replace('""', `"${"x".repeat(MIB - fits.length)}"`);
  assert.equal(exact.length, MIB);
  const reply = await acme.request(raw("POST", "/crm/leads", exact));
  assertInvalid(reply, { type: "string_too_long", loc: ["body", "comments"] });
});

// docs/requests.md#order-of-checks
test("invalid JSON comes before path and query, and is reported alone", async () => {
  const acme = await api.tenant();
  for (const path of [`/crm/leads/${"a".repeat(101)}?x=1`, `/crm/leads/${NOBODY}`, "/crm/leads/"]) {
    const faults = faultsOf(await acme.request(raw("PATCH", path, '{"a":')));
    assert.deepEqual(
      faults.map(({ type }) => type),
      ["json_invalid"],
      path,
    );
  }
});

// docs/requests.md#order-of-checks
test("an empty PATCH returns 400 before path, query and record are checked", async () => {
  const acme = await api.tenant();
  for (const id of [NOBODY, "a".repeat(101), "x?y=1"]) {
    assertRefused(await acme.patch(`/crm/leads/${id}`, {}), 400);
  }
});

// docs/errors.md#422-invalid-requests
test("problems of path, query and body are reported together, in this order", async () => {
  const acme = await api.tenant();
  const path = `/crm/leads/${"a".repeat(101)}?zzz=1`;
  const reply = await acme.patch(path, { name: 5, status: "zzz", nick: 1 });
  assert.equal(reply.status, 422);
  const places = faultsOf(reply).map(({ loc }) => loc.join("."));
  assert.deepEqual(places.slice(0, 2), ["path.lead_id", "query.zzz"]);
  assert.deepEqual(places.slice(2).toSorted(), ["body.name", "body.nick", "body.status"]);
});

// docs/requests.md#order-of-checks
test("422 comes before the 404 of a record", async () => {
  const acme = await api.tenant();
  assertInvalid(await acme.patch(`/crm/leads/${NOBODY}`, { status: "zzz" }), {
    type: "enum",
    loc: ["body", "status"],
  });
});

// docs/errors.md#422-invalid-requests
test("a response lists at most 100 problems", async () => {
  const acme = await api.tenant();
  const body = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, 1]));
  assert.equal(faultsOf(await acme.post("/crm/leads", { name: "Ada", ...body })).length, 100);
});

// docs/errors.md#422-invalid-requests
test("references are checked only if everything else is valid", async () => {
  const acme = await api.tenant();
  const reply = await acme.post("/crm/contacts", { name: "Ada", account_id: NOBODY, status: "z" });
  assertInvalid(reply, { type: "enum", loc: ["body", "status"] });
});

// docs/errors.md#422-invalid-requests
test("a secret is never echoed, nor inside an echoed object or text", async () => {
  const acme = await api.tenant();
  const secret = "123-45-6789";
  const bodies: unknown[] = [
    { ssn: secret },
    { name: 5, ssn: secret },
    [{ ssn: secret }],
    { name: "Ada", ssn: `${secret}0` },
    { name: "Ada", ssn: { value: secret } },
    { name: "Ada", ssn: [secret] },
    { name: "Ada", nick: { ssn: secret } },
    { name: "Ada", social_dict_list: [{ ssn: secret }] },
    { name: "Ada", nick: [{ deep: { access_code: secret } }] },
  ];
  for (const body of bodies) {
    const reply = await acme.post("/crm/leads", body);
    assert.equal(reply.status, 422, reply.text);
    assert.ok(!showsSsn(reply.text), reply.text);
  }
  const text = raw("POST", "/crm/leads", `{"ssn":"${secret}"}`, { "content-type": "text/plain" });
  assert.ok(!showsSsn((await acme.request(text)).text));
  assert.ok(!showsSsn((await acme.get("/crm/leads", { ssn: secret })).text));
});

// docs/errors.md#422-invalid-requests
test("an input over 1 KiB is cut", async () => {
  const acme = await api.tenant();
  const long = "x".repeat(20_000);
  const bodies = [{ name: "Ada", comments: long }, { name: [long] }, [long], { comments: [long] }];
  for (const body of bodies) {
    for (const { input } of faultsOf(await acme.post("/crm/leads", body))) {
      assert.ok(Buffer.byteLength(JSON.stringify(input)) <= 1100);
    }
  }
  const kept = "x".repeat(1000);
  const [fault] = faultsOf(await acme.post("/crm/leads", { name: "Ada", title: kept }));
  assert.equal(fault?.input, kept);
});

// docs/requests.md#protocol
test("a body that is not declared as JSON returns 422", async () => {
  const acme = await api.tenant();
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
    const request = raw("POST", "/crm/leads", '{"name":"Ada"}', { "content-type": type });
    assertInvalid(await acme.request(request), { type: "model_attributes_type", loc: ["body"] });
  }
  const bare = { method: "POST", path: "/crm/leads", body: Buffer.from('{"name":"Ada"}') };
  assertInvalid(await acme.request(bare), { type: "model_attributes_type", loc: ["body"] });
  for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON"]) {
    const request = raw("POST", "/crm/leads", '{"name":"Ada"}', { "content-type": type });
    assert.equal(recordOf(await acme.request(request))["name"], "Ada");
  }
});

// docs/errors.md#422-invalid-requests
test("JSON that is not an object returns model_attributes_type", async () => {
  const acme = await api.tenant();
  for (const body of ["[]", '"x"', "5", "true"]) {
    const reply = await acme.request(raw("POST", "/crm/leads", body));
    const input: unknown = JSON.parse(body);
    assertInvalid(reply, { type: "model_attributes_type", loc: ["body"], input });
  }
  for (const body of ["", "nul", "{'name':'a'}", '{"name":"a",}', '{"name":NaN}', '{"a":1}{}']) {
    const reply = await acme.request(raw("POST", "/crm/leads", body));
    assertBlames(reply, "body");
  }
});

// docs/requests.md#limits
test("U+0000 and unpaired surrogates return string_unicode in every text", async () => {
  const acme = await api.tenant();
  for (const text of ["a\\u0000b", "\\ud800", "\\udc00x"]) {
    const cases = [
      [`{"name":"${text}"}`, ["body", "name"]],
      [`{"name":"a","tags":["ok","${text}"]}`, ["body", "tags", 1]],
      [
        `{"name":"a","social_dict_list":[{"type":"x","url":"${text}"}]}`,
        ["body", "social_dict_list", 0, "url"],
      ],
    ] as const;
    for (const [body, loc] of cases) {
      const reply = await acme.request(raw("POST", "/crm/leads", body));
      assertInvalid(reply, { type: "string_unicode", loc });
    }
    const key = `{"name":"a","social_dict_list":[{"type":"x","url":"y","${text}":1}]}`;
    assertBlames(await acme.request(raw("POST", "/crm/leads", key)), "body", "social_dict_list");
    const filter = { match_filter_dict: `{"name":"${text}"}` };
    assertBlames(await acme.get("/crm/leads", filter), "query", "match_filter_dict");
  }
  const emoji = await acme.request(raw("POST", "/crm/leads", '{"name":"\\ud83d\\ude00"}'));
  assert.equal(recordOf(emoji)["name"], "😀");
});

// docs/requests.md#protocol
test("every response has an X-Request-Id, the caller's if it is valid", async () => {
  const acme = await api.tenant();
  const answers = [
    await acme.get("/crm/leads"),
    await acme.get("/nowhere"),
    await acme.get("/crm/leads", { page_size: 0 }),
    await acme.patch(`/crm/leads/${NOBODY}`, {}),
    await acme.request({ method: "GET", path: "/crm/leads", headers: { authorization: null } }),
  ];
  for (const { headers } of answers) assert.ok(headers.get("x-request-id"));
  const told = async (id: string) =>
    (
      await acme.request({ method: "GET", path: "/crm/leads", headers: { "x-request-id": id } })
    ).headers.get("x-request-id");
  assert.equal(await told("abc-123_DEF.4"), "abc-123_DEF.4");
  for (const id of ["x".repeat(2000), 'a "b" <c>']) assert.notEqual(await told(id), id);
});

// docs/requests.md#limits
test("JSON nested deeper than 20 is rejected, up to 15 it is stored", async () => {
  const acme = await api.tenant();
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
  const kept = recordOf(await acme.post("/crm/tasks", { name: "a", action_data: nested(15) }));
  assert.deepEqual(kept["action_data"], nested(15));
  assertBlames(await acme.post("/crm/tasks", { name: "a", action_data: nested(25) }), "body");
  const tower = "[".repeat(50_000) + "]".repeat(50_000);
  assertBlames(await acme.request(raw("POST", "/crm/leads", tower)), "body");
});

const socialEntries = (length: number) => Array.from({ length }, () => ({ type: "x", url: "y" }));

// docs/requests.md#limits
test("a list takes 1,000 elements, not 1,001", async () => {
  const acme = await api.tenant();
  const full = await create(acme, account, { social_dict_list: socialEntries(1000) });
  assert.equal(full["social_dict_list"].length, 1000);
  const reply = await acme.post("/crm/accounts", {
    name: "a",
    social_dict_list: socialEntries(1001),
  });
  assertInvalid(reply, {
    type: "too_long",
    loc: ["body", "social_dict_list"],
    ctx: { field_type: "List", max_length: 1000, actual_length: 1001 },
  });
});

// docs/requests.md#limits
test("a request line of 100 KiB is read", async () => {
  const acme = await api.tenant();
  const filter = { match_filter_dict: { name: "x".repeat(100 * 1024) } };
  assertBlames(await acme.get("/crm/leads", filter), "query", "match_filter_dict");
});

// docs/requests.md#parameters
test("values in bodies are never converted", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, account);
  const cases = [
    ["/crm/leads", { name: 5 }, "name", "string_type"],
    ["/crm/leads", { name: true }, "name", "string_type"],
    ["/crm/leads", { name: "a", decision_date: "1700000000" }, "decision_date", "float_type"],
    ["/crm/invoices", { total_amount: "5" }, "total_amount", "float_type"],
    ["/crm/orders", { account_id: 5 }, "account_id", "string_type"],
    ["/crm/opportunities", { account_id: _id, value_of_sale: "5" }, "value_of_sale", "float_type"],
  ] as const;
  for (const [path, body, field, type] of cases) {
    const fault = faultsOf(await acme.post(path, body)).find(({ loc }) => loc[1] === field);
    assert.equal(fault?.type, type, field);
  }
  assertBlames(await acme.post("/crm/tasks", { name: "a", is_completed: "true" }), "body");
  assert.deepEqual(idsOf(await acme.get(lead.list)), []);
});
