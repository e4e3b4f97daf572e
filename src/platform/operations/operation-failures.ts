/** The errors of an operation, as listed in openapi.json. */

import { failureHeaders } from "./operation-headers.ts";
import type { Operation } from "./operation.ts";

/** Descriptions of errors. An operation may override them with more specific ones. */
const GENERAL = {
  400: "The body changes nothing.",
  401: "The credential is missing, invalid or expired.",
  403:
    "The credential lacks the required permission or may not be used from this address, the quota is reached, or the " +
    "request came from another site.",
  404: "The record does not exist.",
  408: "The body took too long to arrive.",
  409: "The request conflicts with stored data.",
  412: "The record has a different version. `changed_fields` names the fields that changed.",
  413: "The body is too large.",
  429: "Too many requests. Retry after `Retry-After` seconds.",
  500: "Internal error. Quote `request_id` when you report it.",
  503: "The service is busy or unavailable. Retry after `Retry-After` seconds.",
} as const;

/** Added to each description of a 409. Every write can fail because it waits too long for another one. */
const RETRIABLE_409 =
  "If there is a `Retry-After` header, the request only conflicts with another one in progress: send it again.";

type Status = keyof typeof GENERAL;

/** Determines the errors of an operation from its properties. */
function generalStatuses(operation: Operation<never>): readonly Status[] {
  const { method, path, body, streamed, conditions, security } = operation;
  const hasBody = body !== undefined || streamed === true;
  return [
    ...(method === "PATCH" ? ([400] as const) : []),
    ...(security === null ? [] : ([401, 403] as const)),
    ...(path === undefined ? [] : ([404] as const)),
    ...(hasBody ? ([408] as const) : []),
    ...(method === "GET" ? [] : ([409] as const)),
    ...(conditions?.includes("if-match") === true ? ([412] as const) : []),
    ...(hasBody && streamed !== true ? ([413] as const) : []),
    429,
    500,
    503,
  ];
}

/** Returns the error responses of an operation, for @fastify/swagger. */
export function failureResponses(operation: Operation<never>): Readonly<Record<string, object>> {
  const general = generalStatuses(operation).map((status) => [status, GENERAL[status]] as const);
  const all: Readonly<Record<string, string>> = {
    ...Object.fromEntries(general),
    ...operation.failures,
  };
  const responses = Object.entries(all).map(([status, text]) => [
    status,
    {
      description: status === "409" ? `${text} ${RETRIABLE_409}` : text,
      $ref: "ErrorDetail#",
      ...failureHeaders(operation, Number(status)),
    },
  ]);
  return {
    ...Object.fromEntries(responses),
    422: {
      description: "The request is invalid. `detail` lists every problem with its location.",
      $ref: "HTTPValidationError#",
      ...failureHeaders(operation, 422),
    },
  };
}
