/** GET /openapi.json: valid, with the documented names, and consistent with the responses. */

import assert from "node:assert/strict";
import { test } from "node:test";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { sharedApi } from "../kit/file-api.ts";
import { operationsOf, readDocument } from "../api/operations.ts";
import { fullBody, makeReferable, ok, partialBody } from "../api/samples.ts";
import type { Answer } from "../kit/api.ts";

const api = await sharedApi();
const acme = await api.tenant();
const document = await readDocument(acme);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "openapi", components: document.components });

/** Returns the schema of an operation's response for a status. */
function schemaOf(method: string, path: string, status: number): object {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
  const schema = response?.content?.["application/json"]?.schema;
  assert.ok(schema, `${method} ${path} does not describe its ${status}`);
  const text = JSON.stringify(schema).replaceAll("#/components/", "openapi#/components/");
  return JSON.parse(text) as object;
}

/** Asserts that a response matches its operation's description. */
function holds(method: string, path: string, answer: Answer): void {
  const valid = ajv.validate(schemaOf(method, path, answer.status), answer.body);
  assert.ok(
    valid,
    `${method} ${path} ${answer.status}: ${ajv.errorsText()} in ${answer.text.slice(0, 300)}`,
  );
}

test("it is OpenAPI 3.1.0 of interface version 0.1.0 with the interface's names", () => {
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.info.version, "0.1.0");
  const names = [
    "LeadRequest LeadUpdateRequest LeadResponseList ContactRequest ContactUpdateRequest",
    "AccountRequest AccountUpdateRequest OpportunityRequest OpportunityUpdateRequest",
    "InvoiceRequest InvoiceUpdateRequest OrderRequest OrderUpdateRequest HTTPValidationError",
  ].flatMap((line) => line.split(" "));
  for (const name of names) assert.ok(document.components.schemas[name], name);
  const { type, name, in: place } = document.components.securitySchemes.APIKeyHeader;
  assert.deepEqual(
    { type, name, place },
    { type: "apiKey", name: "Authorization", place: "header" },
  );
});

test("every schema in it is a JSON Schema, and every reference resolves", () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok(ajv.validateSchema(schema as object), `${name}: ${ajv.errorsText()}`);
  }
  for (const [, name = ""] of JSON.stringify(document).matchAll(
    /"#\/components\/schemas\/([^"]+)"/g,
  )) {
    assert.ok(document.components.schemas[name], name);
  }
  assert.doesNotMatch(JSON.stringify(document), /x-rule|x-also/);
});

test("every object says which members it accepts; without that, code generators print none", () => {
  const silent: string[] = [];
  let objects = 0;
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, properties, additionalProperties } = value as Record<string, unknown>;
    if (type === "object" || (Array.isArray(type) && type.includes("object"))) {
      objects += 1;
      if ((properties ?? additionalProperties) === undefined) silent.push(path);
    }
    for (const [name, member] of Object.entries(value)) walk(member, `${path}/${name}`);
  };
  walk(document, "");
  assert.deepEqual(silent, []);
  assert.ok(objects > 100);
});

test("every operation has one id, one description of each path parameter, and its errors", () => {
  const operations = operationsOf(document);
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length);
  for (const { method, path, names } of operations) {
    const { parameters = [], responses } = document.paths[path][method.toLowerCase()];
    const described = parameters.filter(({ in: place }: { in: string }) => place === "path");
    assert.deepEqual(
      described.map(({ name }: { name: string }) => name),
      names,
      path,
    );
    for (const status of ["401", "403", "422"]) assert.ok(responses[status], `${path} ${status}`);
    assert.ok(responses["200"] ?? responses["207"], `${path} success`);
  }
});

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`responses with a e.name} match their description`, async () => {
    const refs = await makeReferable(acme);
    const sent = fullBody(type, 5, refs);
    const request = `openapi#/components/schemas/${type.schemaName}Request`;
    assert.ok(ajv.validate({ $ref: request }, sent), ajv.errorsText());
    const made = await acme.post(type.writePath, { ...sent, external_id: `${type.name} 5` });
    holds("POST", type.writePath, ok(made));
    holds("POST", type.writePath, await acme.post(type.writePath, { name: 5 }));
    holds(
      "POST",
      type.writePath,
      await acme.post(type.writePath, { ...sent, external_id: `${type.name} 5` }),
    );
    for (let seed = 0; seed < 4; seed++) {
      holds(
        "POST",
        type.writePath,
        ok(await acme.post(type.writePath, partialBody(type, seed, refs))),
      );
    }
    const below = `${type.writePath}/{${type.idName}}`;
    const path = `${type.writePath}/${made.body._id}`;
    holds("PATCH", below, ok(await acme.patch(path, { external_id: null })));
    holds("PATCH", below, await acme.patch(path, {}));
    holds("PATCH", below, await acme.patch(`${type.writePath}/nobody`, { external_id: "x" }));
    const batch = `${type.writePath}/batch`;
    const items = [partialBody(type, 5, refs), { ...sent, external_id: `${type.name} 5` }, {}, 5];
    ok(await acme.patch(path, { external_id: `${type.name} 5` }));
    holds("POST", batch, await acme.post(batch, { items }));
    holds("POST", batch, await acme.post(batch, { items, atomic: true }));
    const byKey = `${type.writePath}/by/external_id/`;
    const { external_id: _1, ...put } = sent;
    holds("PUT", `${byKey}{external_id}`, ok(await acme.put(`${byKey}${type.name}%205`, put)));
    holds("PUT", `${byKey}{external_id}`, await acme.put(`${byKey}new`, { name: 5 }));
    for (const { path } of Object.values(type.lists)) {
      holds("GET", path, ok(await acme.get(path)));
      holds("GET", path, await acme.get(path, { page_size: 0 }));
    }
    for (const read of type.readPaths) {
      holds("GET", `${read}/{${type.idName}}`, ok(await acme.get(`${read}/${made.body._id}`)));
      const history = ok(await acme.get(`${read}/${made.body._id}/history`));
      holds("GET", `${read}/{${type.idName}}/history`, history);
    }
  });
}

test("responses of conversions, deletions and the administration match their description", async () => {
  const lead = ok(await acme.post("/crm/leads", { name: "Ada Example" })).body;
  const convert = { account: { name: "Example Ltd" }, deal: { name: "First" } };
  holds(
    "POST",
    "/crm/leads/{lead_id}/convert",
    ok(await acme.post(`/crm/leads/${lead._id}/convert`, convert)),
  );
  const task = ok(await acme.post("/crm/tasks", { name: "Call" })).body;
  holds("DELETE", "/crm/tasks/{task_id}", ok(await acme.delete(`/crm/tasks/${task._id}`)));
  const token = await acme.post("/crm/admin/access_tokens", { name: "T", permissions: ["admin"] });
  holds("POST", "/crm/admin/access_tokens", ok(token));
  holds("GET", "/crm/admin/access_tokens", ok(await acme.get("/crm/admin/access_tokens")));
  holds(
    "DELETE",
    "/crm/admin/access_tokens/{token_id}",
    ok(await acme.delete(`/crm/admin/access_tokens/${token.body.id}`)),
  );
  holds("GET", "/crm/admin/tenant", ok(await acme.get("/crm/admin/tenant")));
  holds(
    "PATCH",
    "/crm/admin/tenant",
    ok(await acme.patch("/crm/admin/tenant", { currency: "EUR" })),
  );
  holds("GET", "/crm/admin/audit", ok(await acme.get("/crm/admin/audit")));
});
