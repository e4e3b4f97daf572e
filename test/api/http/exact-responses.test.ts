/** Details of responses and of openapi.json that clients rely on. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES, type RecordType } from "../../../src/records/types/index.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { readDocument, resolved, type Document } from "../operations.ts";
import { fullBody, makeReferable, ok } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const document = await readDocument(acme);

/** The tag lists of the stored leads. Each lead is named after its list. */
const LISTS = [[], ["a"], ["b"], ["a", "b"], ["b", "a"], ["a", "b", "c"]];
for (const tags of LISTS) ok(await acme.post("/crm/leads", { name: JSON.stringify(tags), tags }));

const FILTERS: readonly (readonly [object, readonly (readonly string[])[]])[] = [
  [{ $in: [["a", "b"]] }, [["a", "b"]]],
  [{ $in: [["a"], ["b", "a"]] }, [["a"], ["b", "a"]]],
  [{ $in: [["a"], "c"] }, [["a"], ["a", "b", "c"]]],
  [{ $in: [[]] }, [[]]],
  [{ $nin: [["a", "b"], []] }, [["a"], ["b"], ["b", "a"], ["a", "b", "c"]]],
  [{ $nin: [["a"], "b"] }, [[]]],
  [{ $not: { $in: [["a", "b", "c"], "a"] } }, [[], ["b"]]],
];
for (const [condition, expected] of FILTERS) {
  test(`tags ${JSON.stringify(condition)} selects as MongoDB does`, async () => {
    const found = await acme.get("/crm/leads", {
      match_filter_dict: { tags: condition },
      sort_dict: { _id: 1 },
    });
    const names = ok(found).body.leads.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      names,
      expected.map((tags) => JSON.stringify(tags)),
    );
  });
}

test("a list as member of $in is rejected if the field is not a list, or if it contains anything but texts", async () => {
  for (const filter of [{ name: { $in: [["a"]] } }, { tags: { $in: [["a", 5]] } }]) {
    const answer = await acme.get("/crm/leads", { match_filter_dict: filter });
    assert.equal(answer.status, 422, answer.text);
  }
});

test("an invoice has the name that was sent; its number is the default", async () => {
  const refs = await makeReferable(acme);
  const type = Object.values(BUILT_IN_TYPES).find(({ name }) => name === "invoice") as RecordType;
  const { name: _, ...body } = fullBody(type, 1, refs);
  body["invoice_num"] = "N-1";
  const numbered = ok(await acme.post("/crm/invoices", body)).body;
  assert.equal(numbered.name, "N-1");
  const named = { ...body, invoice_num: "N-2", external_id: "N-2", name: "Roof, second part" };
  const made = ok(await acme.post("/crm/invoices", named)).body;
  assert.equal(made.name, "Roof, second part");
  const path = `/crm/invoices/${made._id}`;
  assert.equal(ok(await acme.patch(path, { name: "Roof" })).body.name, "Roof");
  assert.equal(ok(await acme.patch(path, { name: null, stage: "paid" })).body.name, "N-2");
});

/** Operations with both start_date and end_date among their query parameters. */
const DATED = Object.entries<Document>(document.paths).flatMap(([path, { get }]) => {
  const names = (get?.parameters ?? []).map(({ name }: { name: string }) => name);
  const isOurs = get?.security?.some((needed: object) => "APIKeyHeader" in needed);
  const isDated = names.includes("start_date") && names.includes("end_date");
  // The audit log accepts dates in the wrong order and returns an empty page.
  return isOurs && isDated && path !== "/crm/admin/audit" && !path.includes("{") ? [path] : [];
});

test("dates in the wrong order are shown as they were sent, on every operation", async () => {
  assert.ok(DATED.length > 20);
  for (const path of DATED) {
    const start_date = "2024-05-02T00:00:00Z";
    const answer = await acme.get(path, { start_date, end_date: "2024-05-01" });
    assert.equal(answer.status, 422, path);
    const issues = answer.body.detail.map(({ loc, msg, input }: Document) => ({ loc, msg, input }));
    const msg = "Value error, start_date must not be after end_date";
    assert.deepEqual(issues, [{ loc: ["query", "start_date"], msg, input: start_date }], path);
  }
});

/** Returns the issue for a list item without a required member. */
const missing = (index: number, name: string, input: object) => ({
  type: "missing",
  loc: ["body", "social_dict_list", index, name],
  msg: "Field required",
  input,
});

test("a list item with a missing member shows the item", async () => {
  const items = [{}, { url: "https://x.example" }, { type: "X" }, { platform: "X" }];
  for (const path of ["/crm/leads", "/crm/contacts", "/crm/accounts"]) {
    const answer = await acme.post(path, { name: "Ann", social_dict_list: items });
    assert.deepEqual(answer.body.detail, [
      missing(0, "type", {}),
      missing(0, "url", {}),
      missing(1, "type", { url: "https://x.example" }),
      missing(2, "url", { type: "X" }),
      missing(3, "url", { platform: "X" }),
    ]);
  }
});

test("Allow names every method of a path, also if others take its last part for an id", async () => {
  for (const [path, item] of Object.entries<Document>(document.paths)) {
    if (path.includes("{")) continue;
    const { status, headers } = await acme.request({ method: "PURGE", path });
    assert.equal(status, 405, path);
    const allowed = (headers.get("allow") ?? "").split(", ");
    for (const method of Object.keys(item)) assert.ok(allowed.includes(method.toUpperCase()), path);
    assert.ok(!allowed.includes("PURGE"), path);
  }
});

test("the pages of /docs have the caller's X-Request-Id", async () => {
  for (const path of ["/docs", "/docs/", "/docs/nothing", "/openapi.json"]) {
    const answer = await acme.request({
      method: "GET",
      path,
      headers: { "x-request-id": "mine-1" },
    });
    assert.equal(answer.headers.get("x-request-id"), "mine-1", path);
  }
});

/** Returns the media types with only their schemas, without the examples. */
const schemasIn = (content: Document): Document =>
  Object.fromEntries(
    Object.entries<Document>(content).map(([type, { schema }]) => [type, { schema }]),
  );

test("openapi.json describes files by their media types", async () => {
  const operations = Object.values<Document>(document.paths).flatMap((methods) =>
    Object.values<Document>(methods),
  );
  const binary = { schema: { type: "string", format: "binary" } };
  const files = { "text/csv": binary, "application/x-ndjson": binary };
  const returning = operations.filter(({ operationId }) =>
    /^export_|^get_import_rejects$/.test(operationId),
  );
  assert.equal(returning.length, Object.values(BUILT_IN_TYPES).length + 1);
  for (const { responses } of returning) {
    assert.deepEqual(schemasIn(responses["200"].content), files);
  }
  const { requestBody } = operations.find(({ operationId }) => operationId === "send_import_data");
  const text = { schema: { type: "string" } };
  assert.deepEqual(schemasIn(requestBody.content), {
    "text/csv": text,
    "application/x-ndjson": text,
    "application/octet-stream": binary,
  });
  const types = operations.flatMap(({ responses }) => Object.keys(responses["422"]?.content ?? {}));
  assert.deepEqual([...new Set(types)], ["application/json"]);
});

/** Operations that return a secret, and the member that contains it. */
const SECRETS: Readonly<Record<string, string>> = {
  create_access_token: "token",
  create_partner: "access_code",
  reissue_access_code: "access_code",
  create_event_webhook: "secret",
  create_partner_webhook: "secret",
  issue_webhook_secret: "secret",
  issue_event_webhook_secret: "secret",
  issue_partner_webhook_secret: "secret",
  create_person: "link",
  create_person_link: "link",
  create_demo_link: "link",
};

test("a secret that is shown once is required where it is shown, and in no other schema", () => {
  const names = new Set(Object.values(SECRETS));
  for (const methods of Object.values<Document>(document.paths)) {
    for (const { operationId, responses, security } of Object.values<Document>(methods)) {
      if (security.length === 0 || "SessionCookie" in security[0]) continue;
      const given = responses["200"]?.content?.["application/json"]?.schema;
      const schema = resolved(document, given);
      const one = schema?.items === undefined ? schema : resolved(document, schema.items);
      const found = Object.keys(one?.properties ?? {}).filter((name) => names.has(name));
      const secret = SECRETS[operationId];
      assert.deepEqual(found, secret === undefined ? [] : [secret], operationId);
      if (secret !== undefined) assert.ok(one.required.includes(secret), operationId);
    }
  }
});

test("openapi.json has nullable dates and the default order of every list", async () => {
  const parameters = Object.values<Document>(document.paths).flatMap(
    ({ get }) => get?.parameters ?? [],
  );
  const dates = parameters.filter(({ name }) => name === "start_date" || name === "end_date");
  assert.ok(dates.length > 40);
  for (const { schema } of dates) assert.deepEqual(schema.type, ["string", "null"]);
  for (const type of Object.values(BUILT_IN_TYPES)) {
    for (const { path, windowHours, on } of Object.values(type.lists)) {
      const listed: readonly Document[] = document.paths[path].get.parameters;
      const { schema } = listed.find(({ name }) => name === "sort_dict");
      assert.equal(schema.default, windowHours === undefined ? '{"_id":-1}' : `{"${on}":-1}`);
      assert.equal((await acme.get(path, { sort_dict: schema.default })).status, 200, path);
    }
  }
});
