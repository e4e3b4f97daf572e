/** Describes an operation for openapi.json. */

import type { Operation } from "./operation.ts";
import { failureResponses } from "./operation-failures.ts";
import { headersIn, headersOut, notModified } from "./operation-headers.ts";
import { type Parameters, parameterSchema, type Schema } from "../validation/index.ts";
import { printed } from "../schemas/index.ts";

const schemaOf = (parameters: Parameters): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, parameterSchema(parameter)]),
  ),
});

/** Marks an operation whose body is optional, because @fastify/swagger prints every body as required. */
export const OPTIONAL_BODY = "x-optional-body";

/** Returns the operation's schema for @fastify/swagger. */
export function documentation(operation: Operation<never>) {
  const { id, summary, tag, path, query, body, streamed, files, answer } = operation;
  const { security: scheme = "APIKeyHeader" } = operation;
  const headers = headersIn(operation);
  const description = descriptionOf(operation);
  return {
    operationId: id,
    summary,
    tags: [tag],
    security: scheme === null ? [] : [{ [scheme]: [] }],
    ...(description !== "" && { description }),
    ...(path !== undefined && { params: { ...schemaOf(path), required: Object.keys(path) } }),
    ...(query !== undefined && { querystring: schemaOf(query) }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body: { $ref: `${body.name}#` } }),
    ...(operation.bodyOptional && { [OPTIONAL_BODY]: true }),
    ...(streamed && { body: sentFile(files?.taken ?? [BYTES]) }),
    response: {
      [operation.status ?? 200]: {
        description: "Success",
        ...(files?.returned === undefined
          ? (printed(answer) as Schema)
          : returnedFile(files.returned)),
        ...headersOut(operation),
      },
      ...notModified(operation),
      ...failureResponses(operation),
    },
  };
}

const descriptionOf = ({ description = "", permission }: Operation<never>): string =>
  [description, permission === "own" ? "" : `Requires the \`${permission}\` permission.`]
    .filter((part) => part !== "")
    .join(" ");

const BYTES = "application/octet-stream";
const TEXT: Schema = { type: "string" };
const BINARY: Schema = { type: "string", format: "binary" };

const returnedFile = (types: readonly string[]) => contentOf(types, () => BINARY);

/** Describes text media types as text, because some generated clients would send a binary `text/csv` as `{}`. */
const sentFile = (types: readonly string[]) =>
  contentOf(types, (type) => (type === BYTES ? BINARY : TEXT));

const contentOf = (types: readonly string[], schemaFor: (type: string) => Schema) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: schemaFor(type) }])),
});
