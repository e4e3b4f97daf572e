/** What openapi.json says of an operation. */

import type { Operation } from "./operation.ts";
import { headerFailures, headersIn, headersOut, notModified } from "./operation-headers.ts";
import { type Parameters, parameterSchema, type Schema } from "../validation/index.ts";

const schemaOf = (parameters: Parameters): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, parameterSchema(parameter)]),
  ),
});

/** What @fastify/swagger prints of an operation. */
export function documentation(operation: Operation<never>) {
  const { id, summary, tag, path, query, body, streamed, files, answer } = operation;
  const { security: scheme = "APIKeyHeader" } = operation;
  const headers = headersIn(operation);
  return {
    operationId: id,
    summary,
    tags: [tag],
    security: scheme === null ? [] : [{ [scheme]: [] }],
    ...(operation.permission !== "own" && {
      description: `Needs the permission \`${operation.permission}\`.`,
    }),
    ...(path !== undefined && { params: { ...schemaOf(path), required: Object.keys(path) } }),
    ...(query !== undefined && { querystring: schemaOf(query) }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body: { $ref: `${body.name}#` } }),
    ...(streamed && { body: sentFile(files?.taken ?? [BYTES]) }),
    response: {
      [operation.status ?? 200]: {
        description: "Success",
        ...(files?.returned === undefined ? answer : returnedFile(files.returned)),
        ...headersOut(operation),
      },
      ...notModified(operation),
      ...failures(operation),
    },
  };
}

const BYTES = "application/octet-stream";
const TEXT: Schema = { type: "string" };
const BINARY: Schema = { type: "string", format: "binary" };

const returnedFile = (types: readonly string[]) => contentOf(types, () => BINARY);

/** Text in the media types of text: some generated clients would send a binary `text/csv` as `{}`. */
const sentFile = (types: readonly string[]) =>
  contentOf(types, (type) => (type === BYTES ? BINARY : TEXT));

const contentOf = (types: readonly string[], schemaFor: (type: string) => Schema) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: schemaFor(type) }])),
});

function failures(operation: Operation<never>) {
  const { method, path, body, failures: own = {} } = operation;
  const general: Readonly<Record<number, string>> = {
    ...(method === "PATCH" && { 400: "Nothing to change" }),
    401: "No valid token",
    403: "The token lacks the permission, or may not be used from this address",
    ...(path !== undefined && { 404: "No such record" }),
    ...(body !== undefined && { 409: "Conflict" }),
    ...headerFailures(operation),
  };
  const told = Object.entries({ ...general, ...own }).map(([status, description]) => [
    status,
    { description, $ref: "ErrorDetail#" },
  ]);
  return {
    ...Object.fromEntries(told),
    422: { description: "Validation error", $ref: "HTTPValidationError#" },
  };
}
