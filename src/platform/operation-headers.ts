/** The headers that say how an operation is to be taken: Idempotency-Key and the conditions. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { CONDITIONS, entityTagsIn, matchesWeakly, type EntityTags } from "./entity-tags.ts";
import type { Issue } from "./errors.ts";
import { IDEMPOTENCY_KEY, keyIn } from "./idempotency.ts";
import { LIMIT_HEADERS } from "./limiter.ts";
import type { Operation } from "./operation.ts";
import type { Schema } from "./validation.ts";

/** What the headers of a request say; an operation that does not know one ignores it. */
export interface ReadHeaders {
  readonly key: string | undefined;
  readonly condition: EntityTags | undefined;
  readonly issues: readonly Issue[];
}

type Headed = Pick<
  Operation<never>,
  | "method"
  | "streamed"
  | "keyless"
  | "condition"
  | "requestHeaders"
  | "answersRecord"
  | "answerHeaders"
  | "security"
>;

/** Whether an operation takes a key: what is streamed is not read before it is done. */
const takesKey = ({ method, streamed, keyless }: Headed): boolean =>
  (method === "POST" || method === "PATCH") && streamed !== true && keyless !== true;

export function readHeaders(operation: Headed, { headers }: FastifyRequest): ReadHeaders {
  const key = keyIn(takesKey(operation) ? headers["idempotency-key"] : undefined);
  const { condition: name } = operation;
  const condition = name === undefined ? undefined : entityTagsIn(name, headers[name]);
  return {
    key: key.value,
    condition: condition?.value,
    issues: [...key.issues, ...(condition?.issues ?? [])],
  };
}

/** Whether the caller has what would be answered already (RFC 9110, 13.1.2). */
export function isNotModified(
  { condition: name }: Headed,
  { condition }: ReadHeaders,
  reply: FastifyReply,
): boolean {
  const etag = reply.getHeader("etag");
  if (name !== "if-none-match" || condition === undefined || etag === undefined) return false;
  return matchesWeakly(condition, String(etag));
}

const WORDS: Readonly<Record<string, string>> = {
  [IDEMPOTENCY_KEY]:
    "Up to 255 visible characters of your choice. A repeat of the request with the same key within 24 h gets the first answer again, and nothing is written twice.",
  "If-Match":
    "The ETag of the version that is to be changed; 412 where the record is another by now.",
  "If-None-Match": "The ETag of the version that you have; 304 where it is still the present one.",
};

/** The request headers as openapi.json lists them. */
export function headersIn(operation: Headed): Schema | undefined {
  const { condition, requestHeaders = {} } = operation;
  const names = [
    ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ...(condition === undefined ? [] : [CONDITIONS[condition]]),
  ];
  const common = names.map((name) => [name, WORDS[name]] as const);
  const all = [...common, ...Object.entries(requestHeaders)];
  if (all.length === 0) return undefined;
  const properties = all.map(([name, description]) => [name, { type: "string", description }]);
  return { type: "object", properties: Object.fromEntries(properties) as Schema };
}

/** The headers of a success as openapi.json lists them. */
export function headersOut(operation: Headed): object {
  const replayed = "Idempotency-Replayed";
  const own = Object.entries(operation.answerHeaders ?? {}).map(
    ([name, description]) => [name, { type: "string", description }] as const,
  );
  const headers = {
    ...Object.fromEntries(own),
    ...(operation.answersRecord === true && {
      ETag: { type: "string", description: 'The version of the record, such as `"v3"`.' },
    }),
    ...(takesKey(operation) && {
      [replayed]: { type: "string", description: "`true` where this answer is a repeated one." },
    }),
    ...(operation.security !== null && LIMIT_HEADERS),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** The answer to a condition that a read meets. */
export const notModified = ({ condition }: Headed): object =>
  condition === "if-none-match"
    ? { 304: { description: "You have the present version", type: "null" } }
    : {};

/** What the headers add to an operation's failures. */
export const headerFailures = (operation: Headed): Readonly<Record<number, string>> => ({
  ...(takesKey(operation) && {
    409: "Conflict; or a request with this Idempotency-Key is still being answered",
  }),
  ...(operation.condition === "if-match" && {
    412: "The record was changed since; `changed_fields` names what was",
  }),
  ...(operation.security !== null && {
    429: "No request is left in this window; Retry-After says when there will be",
  }),
});
