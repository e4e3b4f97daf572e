/** The headers that say how an operation is to be taken: Idempotency-Key and the conditions. */

import type { FastifyReply, FastifyRequest } from "fastify";
import {
  CONDITIONS,
  entityTagsIn,
  matchesWeakly,
  type Condition,
  type Conditions,
  type EntityTags,
} from "./entity-tags.ts";
import type { Issue } from "../errors/index.ts";
import { IDEMPOTENCY_KEY, keyIn } from "./idempotency.ts";
import { LIMIT_HEADERS } from "./limiter.ts";
import type { Operation } from "./operation.ts";
import { valueError, type Schema } from "../validation/index.ts";

/** What the headers of a request say. */
export interface ReadHeaders {
  readonly key: string | undefined;
  readonly conditions: Conditions;
  readonly issues: readonly Issue[];
}

type Headed = Pick<
  Operation<never>,
  | "method"
  | "streamed"
  | "keyless"
  | "conditions"
  | "requestHeaders"
  | "answersRecord"
  | "answerHeaders"
  | "security"
  | "secretAnswer"
  | "noStore"
>;

/** Whether an operation takes a key: what is streamed is not read before it is done. */
const takesKey = ({ method, streamed, keyless }: Headed): boolean =>
  (method === "POST" || method === "PUT" || method === "PATCH") &&
  streamed !== true &&
  keyless !== true;

export function readHeaders(operation: Headed, { headers }: FastifyRequest): ReadHeaders {
  const key = keyIn(takesKey(operation) ? headers["idempotency-key"] : undefined);
  const said = conditionsIn(operation, headers);
  return { key: key.value, conditions: said.conditions, issues: [...key.issues, ...said.issues] };
}

/** The conditions that an operation knows; a read ignores the others, a write refuses them. */
function conditionsIn(
  { method, conditions: known = [] }: Headed,
  headers: FastifyRequest["headers"],
) {
  const conditions: Partial<Record<Condition, EntityTags>> = {};
  const issues: Issue[] = [];
  for (const name of Object.keys(CONDITIONS) as Condition[]) {
    if (known.includes(name)) {
      const { value, issues: wrong } = entityTagsIn(name, headers[name]);
      if (value !== undefined) conditions[name] = value;
      issues.push(...wrong);
      // Of a write it asks that there is nothing yet, and of no version that there is.
      if (method === "GET" || name === "if-match" || value === undefined || value.any) continue;
      issues.push(conditionIssue(name, headers, "here it can be * alone"));
    } else if (method !== "GET" && headers[name] !== undefined) {
      issues.push(conditionIssue(name, headers, "this operation knows no such condition"));
    }
  }
  return { conditions, issues };
}

const conditionIssue = (
  name: Condition,
  headers: FastifyRequest["headers"],
  fault: string,
): Issue => ({
  loc: ["header", CONDITIONS[name]],
  input: String(headers[name]),
  ...valueError(fault),
});

/** Whether the caller has what would be answered already (RFC 9110, 13.1.2). */
export function isNotModified(
  { method }: Headed,
  { conditions }: ReadHeaders,
  reply: FastifyReply,
): boolean {
  const etag = reply.getHeader("etag");
  const condition = conditions["if-none-match"];
  if (method !== "GET" || condition === undefined || etag === undefined) return false;
  return matchesWeakly(condition, String(etag));
}

const WORDS: Readonly<Record<string, string>> = {
  [IDEMPOTENCY_KEY]:
    "Up to 255 visible characters of your choice. A repeat of the request with the same key within 24 h gets the first answer again, and nothing is written twice.",
  "If-Match":
    "The ETag of the version that is to be changed; 412 where the record is another by now.",
  "If-None-Match": "The ETag of the version that you have; 304 where it is still the present one.",
};

/** Programs send it, too, where a cookie is what opens the operation. */
const SAME_ORIGIN = {
  "Sec-Fetch-Site":
    "`same-origin`. Browsers send it themselves; with a cookie, writes from other origins fail with 403.",
} as const;

const opensByCookie = ({ method, security }: Headed): boolean =>
  method !== "GET" && (security === "SessionCookie" || security === "PartnerCookie");

const ONLY_NEW = "`*`: 412 where there is a record already.";

/** The request headers as openapi.json lists them. */
export function headersIn(operation: Headed): Schema | undefined {
  const { method, conditions = [], requestHeaders = {} } = operation;
  const names = [
    ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ...conditions.map((name) => CONDITIONS[name]),
  ];
  const wordsOf = (name: string) =>
    name === "If-None-Match" && method !== "GET" ? ONLY_NEW : WORDS[name];
  const common = names.map((name) => [name, wordsOf(name)] as const);
  const own = opensByCookie(operation) ? { ...SAME_ORIGIN, ...requestHeaders } : requestHeaders;
  const all = [...common, ...Object.entries(own)];
  if (all.length === 0) return undefined;
  const properties = all.map(([name, description]) => [name, { type: "string", description }]);
  return { type: "object", properties: Object.fromEntries(properties) as Schema };
}

/** Whether no cache may store what an operation returns, failures included. */
export const isNeverStored = ({ secretAnswer, noStore }: Headed): boolean =>
  secretAnswer === true || noStore === true;

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
    ...(isNeverStored(operation) && {
      "Cache-Control": { type: "string", description: "`no-store`." },
    }),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** The answer to a condition that a read meets. */
export const notModified = ({ method, conditions }: Headed): object =>
  method === "GET" && conditions?.includes("if-none-match") === true
    ? { 304: { description: "You have the present version", type: "null" } }
    : {};

/** What the headers add to an operation's failures. */
export const headerFailures = (operation: Headed): Readonly<Record<number, string>> => ({
  ...(takesKey(operation) && {
    409: "Conflict; or a request with this Idempotency-Key is still being answered",
  }),
  ...(operation.conditions?.includes("if-match") === true && {
    412: "The record was changed since; `changed_fields` names what was",
  }),
  ...(operation.security !== null && {
    429: "No request is left in this window; Retry-After says when there will be",
  }),
});
