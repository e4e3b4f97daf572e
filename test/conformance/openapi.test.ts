/** The OpenAPI document, and pages that need no credential. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "./checks.ts";
import { ACCOUNT_STATUSES, DEAL_STAGES, LEAD_SOURCES, LEAD_STATUSES } from "./enums.ts";
import { eventually } from "../kit/eventually.ts";
import { expanded } from "../kit/openapi.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const anyone = (path: string) => fetch(`${api.url}${path}`);
const openapi: Row = expanded(await (await anyone("/openapi.json")).json());

/** Every operation of both APIs. */
const OPERATIONS = `
  get,post /crm/leads · get /crm/leads/created · get /crm/leads/status_updated
  patch /crm/leads/{lead_id}
  get,post /crm/contacts · get /crm/contacts/created · get /crm/contacts/status_updated
  patch /crm/contacts/{contact_id} · get,post /crm/accounts · patch /crm/accounts/{account_id}
  get /crm/deals · get /crm/deals/created · get /crm/deals/updated · post /crm/opportunities
  patch /crm/opportunities/{opportunity_id}
  get,post /crm/invoices · get /crm/invoices/created · get /crm/invoices/updated
  patch /crm/invoices/{invoice_id}
  get,post /crm/orders · get /crm/orders/created · get /crm/orders/updated
  patch /crm/orders/{order_id} · get,post /crm/tasks · patch,delete /crm/tasks/{task_id}
  post /crm/partner/lookup · post /crm/partner/push · get /crm/partner/pushed
  get /crm/partner/analytics · get /crm/partner/leads · get /crm/partner/contacts`
  .split(/·|\n/)
  .map((line) => line.trim())
  .filter((line) => line !== "")
  .map((line) => line.split(" ") as [string, string]);

const schema = (name: string): Row => openapi["components"]["schemas"][name];
/** Returns a schema without the `anyOf` that allows null. */
const plain = (given: Row): Row =>
  given["anyOf"]?.find((one: Row) => one["type"] !== "null") ?? given;

/** Returns the values of an enum, without null. */
const valuesOf = (given: Row): unknown[] =>
  plain(given)["enum"].filter((value: unknown) => value !== null);

// docs/requests.md#protocol
test("the description is OpenAPI 3.1.0 of interface version 0.1.0", () => {
  assert.equal(openapi["openapi"], "3.1.0");
  assert.equal(openapi["info"]["version"], "0.1.0");
});

// docs/requests.md#protocol
test("paths have no version", () => {
  for (const path of Object.keys(openapi["paths"])) assert.doesNotMatch(path, /\/v\d+(\/|$)/);
});

for (const [group, partner] of [
  ["the CRM API", false],
  ["the partner API", true],
] as const) {
  // docs/requests.md#protocol
  test(`every operation of ${group} is described, with 200 and 422`, () => {
    for (const [methods, path] of OPERATIONS) {
      if (path.includes("/partner/") !== partner) continue;
      for (const method of methods.split(",")) {
        const operation = openapi["paths"][path]?.[method];
        assert.ok(operation, `${method} ${path}`);
        assert.ok(operation["responses"]["200"], `200 of ${method} ${path}`);
        assert.ok(operation["responses"]["422"], `422 of ${method} ${path}`);
      }
    }
  });
}

// docs/requests.md#protocol
test("schemas have the names that clients expect", () => {
  const requests = "Lead Contact Account Opportunity Invoice Order".split(" ");
  for (const name of requests) {
    assert.ok(schema(`${name}Request`), name);
    assert.ok(schema(`${name}UpdateRequest`), name);
  }
  for (const name of ["LeadResponseList", "HTTPValidationError"]) assert.ok(schema(name), name);
});

// docs/requests.md#credentials
test("every operation of the CRM API needs APIKeyHeader, a key in the header Authorization", () => {
  const scheme = openapi["components"]["securitySchemes"]["APIKeyHeader"];
  assert.deepEqual(
    [scheme["type"], scheme["in"], scheme["name"]],
    ["apiKey", "header", "Authorization"],
  );
  for (const [methods, path] of OPERATIONS.filter(([, given]) => !given.includes("partner"))) {
    for (const method of methods.split(",")) {
      const { security } = openapi["paths"][path][method];
      assert.deepEqual(security ?? openapi["security"], [{ APIKeyHeader: [] }], path);
    }
  }
});

// docs/lists.md
test("page_size and page_num are described with their limits and defaults", () => {
  const parameters: Row[] = openapi["paths"]["/crm/leads"]["get"]["parameters"];
  const named = (name: string) => plain(parameters.find((one) => one["name"] === name)!["schema"]);
  const size = named("page_size");
  assert.deepEqual([size["minimum"], size["maximum"], size["default"]], [1, 500, 50]);
  assert.deepEqual([named("page_num")["minimum"], named("page_num")["default"]], [1, 1]);
  const shared = "match_filter_dict eval_object_id sort_dict start_date end_date".split(" ");
  for (const name of shared) assert.ok(named(name), name);
});

// docs/records.md
test("the schemas of requests have the fields, their values, and required fields", () => {
  const lead = schema("LeadRequest");
  assert.deepEqual(lead["required"], ["name"]);
  assert.deepEqual(valuesOf(lead["properties"]["source"]), [...LEAD_SOURCES]);
  assert.deepEqual(valuesOf(lead["properties"]["status"]), [...LEAD_STATUSES]);
  const account = valuesOf(schema("AccountRequest")["properties"]["status"]);
  assert.deepEqual(account, [...ACCOUNT_STATUSES]);
  const stage = valuesOf(schema("OpportunityRequest")["properties"]["stage"]);
  assert.deepEqual(stage, [...DEAL_STAGES]);
  const required = ["account_id", "invoice_line_list", "invoice_num", "total_amount"];
  assert.deepEqual(schema("InvoiceRequest")["required"].toSorted(), required);
  assert.deepEqual(schema("LeadUpdateRequest")["required"] ?? [], []);
});

// docs/requests.md#protocol
test("/healthz, /readyz and /metrics need no credential", async () => {
  assert.equal((await anyone("/healthz")).status, 200);
  // On a busy machine, the database may take longer than /readyz waits for it. The response is then a 503.
  const readiness = async () => (await anyone("/readyz")).status;
  assert.equal(await eventually(readiness, (status) => status !== 503), 200);
  const metrics = await anyone("/metrics");
  assert.equal(metrics.status, 200);
  assert.match(await metrics.text(), /^# (HELP|TYPE) /m);
});

// docs/requests.md#protocol
test("/docs is a page", async () => {
  const page = await anyone("/docs");
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
});
