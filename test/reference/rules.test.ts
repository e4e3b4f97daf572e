/** Requirements for all of openapi.json: texts, tags, headers, examples, and no repetition. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Document, expanded } from "../kit/openapi.ts";

const text = readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8");
const printed: Document = JSON.parse(text);
const document = expanded(printed);

interface Described {
  readonly name: string;
  readonly method: string;
  readonly operation: Document;
}

const operationsIn = (paths: Document): readonly Described[] =>
  Object.entries<Document>(paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      operation,
    })),
  );

const operations = operationsIn(document.paths);
const all = [...operations, ...operationsIn(document.webhooks)];

/** Returns the names of items that have a problem. */
const wrong = (
  of: readonly Described[],
  isWrong: (operation: Document, described: Described) => unknown,
): readonly string[] => of.filter((one) => isWrong(one.operation, one)).map(({ name }) => name);

const isTitle = (summary: string): boolean =>
  /^[A-Z].{2,49}$/.test(summary) && !summary.endsWith(".");
const isSentence = ({ description }: Document): boolean => /^[A-Z`].*\.$/s.test(description ?? "");

/** Resolves a reference to a schema. */
function resolved(schema: Document): Document {
  const [, name = ""] = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? "") ?? [];
  return name === "" ? {} : document.components.schemas[name];
}

test("the description has a license, and each tag that is used has a description", () => {
  assert.equal(printed.info.license.identifier, "MIT");
  const described = new Map<string, string>(
    printed.tags.map((tag: Document): [string, string] => [tag.name, tag.description]),
  );
  const used = new Set(all.flatMap(({ operation }) => operation.tags as string[]));
  assert.deepEqual([...used].toSorted(), [...described.keys()].toSorted());
  for (const [name, description] of described) assert.match(description, /\.$/, name);
});

test("summaries are short titles, and each operation has a description of full sentences", () => {
  assert.deepEqual(
    wrong(all, ({ summary }) => !isTitle(summary)),
    [],
  );
  assert.deepEqual(
    wrong(all, ({ description }) => !/^[A-Z`][^]*\.$/.test(description ?? "")),
    [],
  );
});

test("every property of every schema has a description", () => {
  const missing: string[] = [];
  let count = 0;
  const walk = (schema: Document, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    for (const [name, member] of Object.entries<Document>(schema.properties ?? {})) {
      count += 1;
      const description = member.description ?? resolved(member).description;
      if (!/^[A-Z`\d].*\.$/s.test(description ?? ""))
        missing.push(`${path}.${name}: ${description}`);
      walk(member, `${path}.${name}`);
    }
    for (const keyword of ["items", "additionalProperties"]) walk(schema[keyword], path);
    for (const keyword of ["anyOf", "allOf", "oneOf"]) {
      for (const one of schema[keyword] ?? []) walk(one, path);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name);
  for (const { name, operation } of all) {
    for (const { content = {} } of Object.values<Document>(operation.responses)) {
      for (const { schema } of Object.values<Document>(content)) walk(schema, name);
    }
  }
  assert.ok(count > 1500);
  assert.deepEqual(missing, [], "Describe it in its schema.");
});

test("every parameter, header and response has a description", () => {
  const missing = all.flatMap(({ name, operation: { parameters = [], responses } }) => [
    ...parameters
      .filter((one: Document) => !isSentence(one))
      .map((one: Document) => `${name} ${one.name}`),
    ...Object.entries<Document>(responses).flatMap(([status, response]) => [
      ...(response.description === "Success" || isSentence(response) ? [] : [`${name} ${status}`]),
      ...Object.entries<Document>(response.headers ?? {})
        .filter(([, header]) => !isSentence(header))
        .map(([header]) => `${name} ${status} ${header}`),
    ]),
  ]);
  assert.deepEqual([...new Set(missing)], []);
});

test("every parameter of an operation has an example", () => {
  const missing = operations.flatMap(({ name, operation: { parameters = [] } }) =>
    parameters
      .filter(({ example, examples }: Document) =>
        [example, ...Object.values<Document>(examples ?? {}).map(({ value }) => value)].every(
          (value) => value === undefined,
        ),
      )
      .map((one: Document) => `${name} ${one.name}`),
  );
  assert.deepEqual([...new Set(missing)], []);
});

test("every failure has a body with an example", () => {
  assert.deepEqual(
    wrong(operations, ({ responses }) =>
      Object.entries<Document>(responses).some(
        ([status, { content }]) =>
          Number(status) >= 400 && content?.["application/json"]?.examples?.example === undefined,
      ),
    ),
    [],
  );
});

test("the failures that every operation can have are declared", () => {
  for (const status of ["422", "429", "500", "503"]) {
    assert.deepEqual(
      wrong(operations, ({ responses }) => responses[status] === undefined),
      [],
      status,
    );
  }
  assert.deepEqual(
    wrong(operations, ({ requestBody, responses }) => requestBody && !responses["408"]),
    [],
  );
});

const successOf = ({ responses }: Document): Document => responses["200"] ?? responses["207"];
const has = (response: Document, header: string): boolean =>
  response?.headers?.[header] !== undefined;
const takes = ({ parameters = [] }: Document, name: string): boolean =>
  parameters.some((one: Document) => one.name === name);

test("the headers of responses are declared", () => {
  const missing = [
    ...wrong(operations, ({ responses }) =>
      Object.values<Document>(responses).some((response) => !has(response, "X-Request-Id")),
    ),
    ...wrong(operations, ({ responses }) =>
      ["429", "503"].some((status) => !has(responses[status], "Retry-After")),
    ),
    ...wrong(operations, (one) => takes(one, "cursor") && !has(successOf(one), "Link")),
    ...wrong(operations, (one) => takes(one, "Prefer") !== has(successOf(one), "X-Total-Count")),
    ...wrong(operations, (one) => takes(one, "If-None-Match") && !has(successOf(one), "ETag")),
    ...wrong(
      operations,
      (one) => one.operationId.startsWith("export_") && !has(successOf(one), "Content-Disposition"),
    ),
  ];
  assert.deepEqual(missing, []);
});

test("a list with records of a type takes Prefer, and so do the lists of pushed leads", () => {
  const counted = operations.filter(({ operation }) => takes(operation, "Prefer")).length;
  assert.ok(counted >= 20, `${counted} lists`);
});

test("bodies that may be left out are optional", () => {
  const optional = operations
    .filter(({ operation }) => operation.requestBody?.required === false)
    .map(({ operation }) => String(operation.operationId));
  for (const id of ["convert_lead", "accept_pushed_lead", "test_event_webhook"]) {
    assert.ok(optional.includes(id), id);
  }
  assert.ok(!optional.includes("create_lead"));
});

test("no header, failure or parameter is written twice", () => {
  const seen = new Map<string, number>();
  const note = (kind: string, value: Document): void => {
    if (value.$ref !== undefined) return;
    const key = `${kind} ${JSON.stringify(value)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  };
  for (const { operation } of operationsIn(printed.paths)) {
    for (const parameter of operation.parameters ?? []) note("parameter", parameter);
    for (const [status, response] of Object.entries<Document>(operation.responses)) {
      if (!status.startsWith("2")) note("response", response);
      for (const header of Object.values<Document>(response.headers ?? {})) note("header", header);
    }
  }
  assert.deepEqual(
    [...seen].filter(([, count]) => count > 1).map(([key]) => key.slice(0, 200)),
    [],
  );
});

test("every component is used", () => {
  const unused = Object.entries<Document>(printed.components).flatMap(([kind, components]) =>
    kind === "securitySchemes"
      ? []
      : Object.keys(components)
          .filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
          .map((name) => `${kind} ${name}`),
  );
  assert.deepEqual(unused, []);
});

test("limits that rules check are printed, and a record that was read passes as a body", () => {
  const { LeadRequest, LeadUpdateRequest, LeadResponse } = printed.components.schemas;
  const { birth_month, decision_date } = LeadRequest.properties;
  assert.deepEqual([birth_month.minimum, birth_month.maximum], [1, 12]);
  assert.equal(decision_date.exclusiveMaximum, 1e11);
  for (const { properties } of [LeadRequest, LeadUpdateRequest]) {
    const missing = Object.keys(LeadResponse.properties).filter((name) => !(name in properties));
    assert.deepEqual(missing, []);
  }
});

test("every write can return 409 with Retry-After, because it may wait too long for another one", () => {
  const writes = operations.filter(({ method }) => method !== "get");
  assert.ok(writes.length > 80, `${writes.length} writes`);
  assert.deepEqual(
    wrong(writes, ({ responses }) => {
      const { description = "", headers = {} } = responses["409"] ?? {};
      return headers["Retry-After"] === undefined || !description.includes("`Retry-After`");
    }),
    [],
  );
});

const responseTexts = ({ post }: Document): string =>
  Object.values<Document>(post.responses)
    .map(({ description }) => description)
    .join(" ");

test("only event webhooks are described as disabled by a 410 and limited to 10 seconds", () => {
  const { import_webhook, ...events } = document.webhooks;
  for (const webhook of Object.values<Document>(events)) {
    assert.match(responseTexts(webhook), /the webhook is then disabled.* within 10 seconds/);
  }
  assert.match(
    responseTexts(import_webhook),
    /The webhook stays enabled.* within `timeout_s` seconds/,
  );
});

test("every operation that partners authenticate for describes X-Partner-Id", () => {
  const ofPartners = operations.filter(({ operation }) =>
    operation.security.some((one: object) => "PartnerToken" in one || "PartnerCookie" in one),
  );
  assert.ok(ofPartners.length > 15, `${ofPartners.length} operations`);
  assert.deepEqual(
    wrong(ofPartners, ({ parameters }) =>
      parameters?.every(({ name }: Document) => name !== "X-Partner-Id"),
    ),
    [],
  );
});
