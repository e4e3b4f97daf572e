/** Names and examples of the errors in the components of openapi.json. */

import { errorCatalog, type ErrorCode } from "../../platform/errors/index.ts";
import type { Json } from "../../platform/json/index.ts";

/** For each status, the name of the error response and its example error. */
const FAILURES: Readonly<Record<string, readonly [name: string, error: ErrorCode]>> = {
  400: ["NothingToChange", "nothing_to_change"],
  401: ["Unauthorized", "unauthenticated"],
  403: ["Forbidden", "not_permitted"],
  404: ["NotFound", "not_found"],
  408: ["RequestTimeout", "body_too_slow"],
  409: ["Conflict", "conflict"],
  410: ["CursorExpired", "cursor_expired"],
  412: ["PreconditionFailed", "precondition_failed"],
  413: ["ContentTooLarge", "body_too_large"],
  429: ["TooManyRequests", "too_many_requests"],
  500: ["InternalError", "internal"],
  503: ["ServiceUnavailable", "service_busy"],
};

/** Additional members besides `detail`. */
const MEMBERS: Readonly<Record<string, object>> = {
  412: { changed_fields: { status: {} }, version: 2 },
  500: { request_id: "383e9be6-0f67-4c3a-9c38-0c4b5a2f7d11" },
};

const INVALID = { type: "missing", loc: ["body", "name"], msg: "Field required", input: {} };

/** Returns the name of the error with a status, or undefined if the status is a success. */
export const failureName = (status: string): string | undefined =>
  status === "304" ? "NotModified" : status === "422" ? "ValidationFailed" : FAILURES[status]?.[0];

/** Returns the example of an error body. */
export function failureExample(status: string): Json {
  if (status === "422") return { detail: [INVALID] };
  const [, error] = FAILURES[status] ?? [];
  return { detail: error === undefined ? "" : errorCatalog[error][1], ...MEMBERS[status] };
}
