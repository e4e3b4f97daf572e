/** The request headers that control an operation: Idempotency-Key and conditions. */

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
import { type Schema, valueError } from "../validation/index.ts";
import { integer } from "../schemas/index.ts";
import { namesOf } from "../json/index.ts";

/** The control headers of a request, parsed. */
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
  | "returnsRecord"
  | "answerHeaders"
  | "security"
  | "secretResponse"
  | "noStore"
  | "query"
  | "isCounted"
>;

/**
 * Whether an operation accepts an Idempotency-Key. Operations with streamed bodies do not, because a streamed body
 * cannot be compared with that of the first request before the operation runs.
 */
export const takesKey = ({ method, streamed, keyless }: Headed): boolean =>
  (method === "POST" || method === "PUT" || method === "PATCH") &&
  streamed !== true &&
  keyless !== true;

export function readHeaders(operation: Headed, { headers }: FastifyRequest): ReadHeaders {
  const key = keyIn(takesKey(operation) ? headers["idempotency-key"] : undefined);
  const { conditions, issues } = conditionsIn(operation, headers);
  return { key: key.value, conditions, issues: [...key.issues, ...issues] };
}

/** Returns the conditions that an operation supports. Reads ignore other conditions; writes reject them. */
function conditionsIn(
  { method, conditions: known = [] }: Headed,
  headers: FastifyRequest["headers"],
) {
  const conditions: Partial<Record<Condition, EntityTags>> = {};
  const issues: Issue[] = [];
  for (const name of namesOf(CONDITIONS)) {
    if (known.includes(name)) {
      const { value, issues: wrong } = entityTagsIn(name, headers[name]);
      if (value !== undefined) conditions[name] = value;
      issues.push(...wrong);
      // For writes, the only valid value of `If-None-Match` is `*`, which means that the record must not exist yet.
      if (method === "GET" || name === "if-match" || value === undefined || value.any) continue;
      issues.push(conditionIssue(name, headers, "this operation supports only *"));
    } else if (method !== "GET" && headers[name] !== undefined) {
      issues.push(conditionIssue(name, headers, "this operation does not support this condition"));
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

/** Whether the client already has the current version (RFC 9110, 13.1.2). */
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

/** Descriptions of the common request headers. */
const WORDS: Readonly<Record<string, string>> = {
  [IDEMPOTENCY_KEY]:
    "A unique key of up to 255 visible characters. If you repeat a request with the same key " +
    "within 24 hours, you get the first response again, and nothing is written twice.",
  "If-Match":
    "The ETag of the version to change. If the record has a different version, the request fails with 412.",
  "If-None-Match": "The ETag of the version you have. Returns 304 if it is still the current one.",
  Prefer:
    "`count=exact` returns the number of entries on all pages in `X-Total-Count`. `timing` " +
    "returns a `Server-Timing` header and works for every operation.",
};

/** Describes the header that programs must send if they authenticate with a cookie. */
const SAME_ORIGIN = {
  "Sec-Fetch-Site":
    "`same-origin`. Browsers send it automatically. With a cookie, writes from other origins fail with 403.",
} as const;

const opensByCookie = ({ method, security }: Headed): boolean =>
  method !== "GET" && (security === "SessionCookie" || security === "PartnerCookie");

const ONLY_NEW =
  "`*`: create the record, but never update it. Fails with 412 if the record exists.";

/** Describes the request headers of an operation for openapi.json. */
export function headersIn(operation: Headed): Schema | undefined {
  const { method, conditions = [], requestHeaders = {} } = operation;
  const names = [
    ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ...conditions.map((name) => CONDITIONS[name]),
    ...(operation.isCounted === true ? ["Prefer"] : []),
  ];
  const wordsOf = (name: string) =>
    name === "If-None-Match" && method !== "GET" ? ONLY_NEW : WORDS[name];
  const common = names.map((name) => [name, wordsOf(name)] as const);
  const own = opensByCookie(operation) ? { ...SAME_ORIGIN, ...requestHeaders } : requestHeaders;
  const all = [...common, ...Object.entries(own)];
  if (all.length === 0) return undefined;
  const properties = all.map(([name, description]) => [
    name,
    { type: "string", description, ...(description === ONLY_NEW && { examples: ["*"] }) },
  ]);
  return { type: "object", properties: Object.fromEntries(properties) as Schema };
}

/** Whether caches must not store an operation's responses, including errors. */
export const isNeverStored = ({ secretResponse, noStore }: Headed): boolean =>
  secretResponse === true || noStore === true;

const text = (description: string) => ({ type: "string", description }) as const;

const REQUEST_ID = {
  "X-Request-Id": text("Identifies the request. Quote it when you report a problem."),
} as const;
const RETRY_AFTER = {
  "Retry-After": integer("Seconds to wait before the next attempt."),
} as const;
const CHALLENGE = {
  "WWW-Authenticate": text("The scheme of the credential that the operation takes."),
} as const;
const ETAG = { ETag: text('The version of the record, such as `"v3"`.') } as const;
const NEXT_PAGE = {
  Link: text(
    'The next page, as `<url>; rel="next"`. Missing on the last page. If the URL would be longer than 8,000 ' +
      "characters, it contains only the `cursor`: add the parameters of your request, except `page_num`.",
  ),
} as const;
const TOTAL = {
  "X-Total-Count": integer(
    "The number of entries on all pages, if you sent `Prefer: count=exact`.",
  ),
  "Preference-Applied": text("`count=exact` if the entries were counted."),
} as const;

/** Describes the headers of an operation's successful responses for openapi.json. */
export function headersOut(operation: Headed): object {
  const own = Object.entries(operation.answerHeaders ?? {}).map(
    ([name, description]) => [name, text(description)] as const,
  );
  const hasPages = operation.query !== undefined && "cursor" in operation.query;
  return {
    headers: {
      ...REQUEST_ID,
      ...Object.fromEntries(own),
      ...(hasPages && NEXT_PAGE),
      ...(operation.isCounted === true && TOTAL),
      ...(operation.returnsRecord === true && ETAG),
      ...(takesKey(operation) && {
        "Idempotency-Replayed": text("`true` if the first response to this key is repeated."),
      }),
      ...(operation.security !== null && LIMIT_HEADERS),
      ...(isNeverStored(operation) && { "Cache-Control": text("`no-store`.") }),
    },
  };
}

/** Describes the headers of an operation's error responses for openapi.json. */
export const failureHeaders = (operation: Headed, status: number): object => ({
  headers: {
    ...REQUEST_ID,
    ...(status === 401 && CHALLENGE),
    ...((status === 409 || status === 429 || status === 503) && RETRY_AFTER),
    ...(status === 429 && operation.security !== null && LIMIT_HEADERS),
  },
});

/** Describes the 304 response of a read operation for openapi.json. */
export const notModified = ({ method, conditions }: Headed): object =>
  method === "GET" && conditions?.includes("if-none-match") === true
    ? {
        304: {
          description: "You have the current version.",
          type: "null",
          headers: { ...REQUEST_ID, ...ETAG, ...LIMIT_HEADERS },
        },
      }
    : {};
