/** Adds an example to every parameter, body and response in openapi.json. */

import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { failureExample, failureName } from "./failure-names.ts";
import type { Schema } from "../../platform/validation/index.ts";
import type { Sample } from "../../platform/modules/index.ts";
import type { RecordTypes } from "../../records/types/index.ts";
import { SENT } from "./bodies.ts";
import { type DescribedParameter, withExample } from "./parameters.ts";
import { recordSample } from "./record-samples.ts";
import { exampleOf, referenced } from "./responses.ts";

export { failureName } from "./failure-names.ts";
export { TODAY, YESTERDAY } from "./moments.ts";
export { exampleOf } from "./responses.ts";

interface Content {
  readonly schema: Schema;
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An operation of an OpenAPI document. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

/** The parts of an OpenAPI document that are used here. */
export interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Paths;
  readonly webhooks?: JsonObject;
  readonly components: Readonly<Record<string, unknown>> & {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
}

const NDJSON = "application/x-ndjson";

/** Example contents of files, by media type. */
const FILES: Readonly<Record<string, string>> = {
  "text/csv": "name,email\nMara Lind,mara.lind@example.com\n",
  [NDJSON]: '{"name":"Mara Lind","email":"mara.lind@example.com"}\n',
  "application/zip": "PK…",
  "text/event-stream": "id: AAAAAABh4wAAaWnL3gk2mN\nevent: cursor\ndata:\n\n",
};

/** Puts an example into `examples`, because code generators copy an `example` into comments. */
const exampled = (value: unknown) => ({ examples: { example: { value } } });
const exampleRef = (name: string) => ({
  examples: { example: { $ref: `#/components/examples/${name}` } },
});
const isSuccess = (status: string): boolean => status.startsWith("2");
const isJson = (type: string): boolean => type === "application/json";

/**
 * Adds examples to a document. For responses that several operations share, the examples are in the components. The
 * samples of modules are keyed by operation id.
 */
export function withExamples(
  document: Document,
  types: RecordTypes,
  samples: Readonly<Record<string, Sample>>,
): Document {
  const described = { schemas: document.components.schemas, types };
  const shared = new Map<string, Json>();
  const responseOf = (type: string, { schema }: Content, id: string) => {
    if (!isJson(type)) return exampled(FILES[type] ?? "");
    const items = schema["items"];
    const name = referenced(schema);
    const item = isObject(items) ? referenced(items) : undefined;
    const key = name ?? (item === undefined ? undefined : `${item}Array`);
    const value = exampleOf(described, schema, id);
    if (key === undefined) return exampled(value);
    shared.set(key, value);
    return exampleRef(key);
  };
  const failureOf = (status: string) => {
    const name = failureName(status) ?? `Status${status}`;
    shared.set(name, failureExample(status));
    return exampleRef(name);
  };
  const withParts = (path: string, method: string, operation: DescribedOperation) => {
    const { operationId: id, parameters, requestBody, responses } = operation;
    const record = recordSample(types, { id, method: method.toUpperCase(), path });
    const sent = SENT[id] ?? samples[id] ?? record ?? {};
    return {
      ...operation,
      ...(parameters && { parameters: parameters.map((one) => withExample(one, id, sent)) }),
      ...(requestBody && { requestBody: withBody(requestBody, sent) }),
      responses: mapValues(responses, (response, status) =>
        withContent(response, (type, content) =>
          isSuccess(status) ? responseOf(type, content, id) : failureOf(status),
        ),
      ),
    };
  };
  const paths = mapValues(document.paths, (methods, path) =>
    mapValues(methods, (operation, method) => withParts(path, method, operation)),
  );
  const examples = mapValues(Object.fromEntries(shared), (value) => ({ value }));
  return { ...document, paths, components: { ...document.components, examples } };
}

const withBody = (body: Body, { body: sent }: Sample): Body =>
  withContent(body, (type) => {
    if (sent === undefined) return {};
    return exampled(type === NDJSON ? FILES[NDJSON] : sent);
  });

const withContent = (body: Body, exampleFor: (type: string, content: Content) => object): Body =>
  body.content === undefined
    ? body
    : {
        ...body,
        content: mapValues(body.content, (content, type) => ({
          ...content,
          ...exampleFor(type, content),
        })),
      };

const mapValues = <T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
