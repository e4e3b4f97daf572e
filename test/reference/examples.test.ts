/** The examples in the API description: every operation has them, and they match the description. */

import assert from "node:assert/strict";
import { test } from "node:test";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { creation, hasExample, returned } from "../../src/reference/examples/fields.ts";
import { IDS } from "../../src/reference/examples/ids.ts";
import { NO_EXAMPLE } from "../../src/reference/examples/responses.ts";
import { type Document, readDocument } from "../api/operations.ts";
import { ok } from "../api/samples.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const acme = await api.tenant();
const document = await readDocument(acme);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "openapi", components: document.components });

/** Validates a value against a schema of the document. Returns the errors as text. */
function faultsOf(schema: Document, value: unknown): string {
  const text = JSON.stringify(schema).replaceAll("#/components/", "openapi#/components/");
  return ajv.validate(JSON.parse(text) as object, value) ? "" : ajv.errorsText();
}

const operations = Object.values<Document>(document.paths).flatMap((methods) =>
  Object.values<Document>(methods),
);

/** Returns the example of a body or response, wherever it is declared. */
function exampleIn({ examples }: Document): unknown {
  const name = /^#\/components\/examples\/(\w+)$/.exec(examples?.example.$ref ?? "")?.[1];
  return (name === undefined ? examples?.example : document.components.examples[name])?.value;
}

test("every operation has an example of its body that its schema accepts", () => {
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    Object.entries<Document>(requestBody?.content ?? {}).map(([type, content]) => {
      const example = exampleIn(content);
      const what = `${operationId} ${type}`;
      if (example === undefined) return `${what} has no example`;
      const faults = faultsOf(content.schema, example);
      return faults === "" ? "" : `${what}: ${faults}`;
    }),
  );
  assert.ok(bodies.length > 60);
  assert.deepEqual(
    bodies.filter((fault) => fault !== ""),
    [],
  );
});

test("every operation has an example of its response that its schema accepts", () => {
  const faults = operations.flatMap(({ operationId, responses }) => {
    const [, response] = Object.entries<Document>(responses).find(([s]) => s.startsWith("2")) ?? [];
    return Object.entries<Document>(response?.content ?? {}).map(([type, content]) => {
      const example = exampleIn(content);
      const what = `${operationId} ${type}`;
      if (example === undefined || example === "") return `${what} has no example`;
      const found = faultsOf(content.schema, example);
      return found === "" ? "" : `${what}: ${found}`;
    });
  });
  assert.ok(faults.length > 150);
  assert.deepEqual(
    faults.filter((fault) => fault !== ""),
    [],
  );
});

test("every parameter of a path or query has an example that its schema accepts", () => {
  const faults = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.flatMap((parameter: Document) => {
      const { name, in: place, schema, example, examples } = parameter;
      if (place === "header") return [];
      const values =
        example === undefined
          ? Object.values<Document>(examples ?? {}).map((one) => one.value)
          : [example];
      if (values.length === 0) return [`${operationId} ${name} has no example`];
      return values.map((value) => faultsOf(schema, value)).filter((fault) => fault !== "");
    }),
  );
  assert.deepEqual(faults, []);
});

/** Returns all strings in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test("no example lacks a value, or names a person or host that may exist", () => {
  const examples = [
    ...Object.values<Document>(document.components.examples).map(({ value }) => value),
    ...operations.flatMap(({ requestBody }) =>
      Object.values<Document>(requestBody?.content ?? {}).map(exampleIn),
    ),
  ];
  const texts = examples.flatMap(textsIn);
  assert.ok(!texts.includes(NO_EXAMPLE), "a text has no example");
  const hosts = texts.flatMap((text) => [...text.matchAll(/(?:@|:\/\/)([a-z0-9.-]+\.[a-z]+)/gi)]);
  assert.ok(hosts.length > 50);
  const foreign = hosts
    .map(([, host = ""]) => host)
    .filter((host) => !/(^|\.)example\.com$/.test(host));
  assert.deepEqual(foreign, []);
});

test("every text field of a record has a distinct example", () => {
  const missing = Object.values(BUILT_IN_TYPES).flatMap((type) =>
    Object.keys(type.fields)
      .filter((name) => !hasExample(type, name))
      .map((name) => `${type.name}.${name}`),
  );
  assert.deepEqual(missing, [], "Add it to src/reference/examples/fields.ts.");
});

/** Members that differ each time, or between users. */
const CHANGING =
  /^(_?id|userid|user_name|created_by_userid|version|timestamp|.*_ts|.*_date|.*_name|.*_num|subject)$/;

const stable = (record: Document): Document =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !CHANGING.test(name)));

const withoutIds = (value: Document): Document => {
  const { account_id: _1, contact_id: _2, ...rest } = stable(value);
  return rest;
};

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`the example of a ${type.name} is what is returned for its example body`, async () => {
    let body = JSON.stringify(creation(type));
    for (const name of ["account", "contact", "lead", "deal"] as const) {
      if (!body.includes(IDS[name])) continue;
      const paths = {
        account: "accounts",
        contact: "contacts",
        lead: "leads",
        deal: "opportunities",
      };
      const account = ok(await acme.post("/crm/accounts", { name: "Lind & Sons" })).body._id;
      const sent = { name: "Mara Lind", ...(name === "deal" && { account_id: account }) };
      const { _id } = ok(await acme.post(`/crm/${paths[name]}`, sent)).body;
      body = body.replaceAll(IDS[name], _id);
    }
    const sent = JSON.parse(body);
    const { body: record } = ok(await acme.post(type.writePath, sent));
    const example = returned(type);
    assert.deepEqual(Object.keys(example).toSorted(), Object.keys(record).toSorted());
    assert.deepEqual(withoutIds(example), withoutIds(record));
  });
}
