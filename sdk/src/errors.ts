/** The errors that a call can throw: an error response, or no response at all. */

import { changedFieldsOf, type ChangedFields } from "./changed-fields.ts";

/** One problem with a request (422). */
export interface Issue {
  readonly type: string;
  /**
   * The location of the problem: `body`, `query`, `path` or `header`, followed by names and
   * indexes.
   */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

interface ErrorResponse {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** The parsed JSON body, or the raw text if the body is not JSON. */
  readonly body: unknown;
}

/** Added to the message of the one 401 whose cause is known. */
const WRONG_CODE = " (the partner ID or the access code is wrong)";

/** The service responded with a status of 300 or more. */
export class LeadportError extends Error {
  override readonly name: string = "LeadportError";
  readonly status: number;
  readonly method: string;
  readonly path: string;
  /** A one-sentence message. For a 422, all issues on one line. */
  readonly detail: string;
  /** All problems with the request (422); empty for other statuses. */
  readonly issues: readonly Issue[];
  /** The ID of the record that this one conflicts with (409). */
  readonly existing_id: string | undefined;
  /**
   * The fields that have changed since the version in `ifMatch` (412), by name; null if unknown.
   */
  readonly changed_fields: ChangedFields | null | undefined;
  /** How long to wait before the next attempt, in seconds, if the service specified it. */
  readonly retryAfter_s: number | undefined;
  /** The request ID, as in the service's log. */
  readonly requestId: string | undefined;
  /** The whole response body, including members that only some errors have. */
  readonly body: unknown;

  constructor({ status, method, path, headers, body }: ErrorResponse) {
    const members = isObject(body) ? body : {};
    const issues = Array.isArray(members["detail"]) ? (members["detail"] as Issue[]) : [];
    const listed = issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
    const detail = typeof members["detail"] === "string" ? members["detail"] : listed;
    const hint = path === "/crm/partner/token" && status === 401 ? WRONG_CODE : "";
    super(`${method} ${path}: ${status} ${detail}`.trimEnd() + hint);
    this.status = status;
    this.method = method;
    this.path = path;
    this.detail = detail;
    this.issues = issues;
    this.existing_id = members["existing_id"] as string | undefined;
    this.changed_fields = changedFieldsOf(members["changed_fields"]);
    this.retryAfter_s = secondsOf(headers.get("retry-after"));
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.body = body;
  }
}

/**
 * The cursor is older than the oldest stored change, or the database was restored to an earlier
 * state (410). Get a new cursor, read all records again, then continue from that cursor.
 */
export class CursorExpired extends LeadportError {
  override readonly name: string = "CursorExpired";
}

/** There was no response: the connection failed, was interrupted, or timed out. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";

  constructor(method: string, path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${method} ${path}: no response (${why})`, { cause });
  }
}

/**
 * An error with a certain status. The type is narrower than `LeadportError`, so a check that fails
 * does not rule out a LeadportError with another status.
 */
export type Answered<S extends number> = LeadportError & { readonly status: S };

/** Returns a function that tests whether a call failed with a certain status. */
export const hasStatus =
  <S extends number>(status: S): ((error: unknown) => error is Answered<S>) =>
  (error: unknown): error is Answered<S> =>
    error instanceof LeadportError && error.status === status;

/** Whether a call failed because of an existing record or a conflicting state (409). */
export const isConflict: (error: unknown) => error is Answered<409> = hasStatus(409);

/** Whether a call failed because the record was changed in the meantime (412). */
export const isPreconditionFailed: (error: unknown) => error is Answered<412> = hasStatus(412);

/**
 * Whether a call failed because the record does not exist or the credential may not read it (404).
 */
export const isNotFound: (error: unknown) => error is Answered<404> = hasStatus(404);

/** Whether a call failed because the request itself is invalid (422). `issues` lists every problem. */
export const isInvalid: (error: unknown) => error is Answered<422> = hasStatus(422);

export const errorOf = (response: ErrorResponse): LeadportError =>
  response.status === 410 && isObject(response.body) && "restart" in response.body
    ? new CursorExpired(response)
    : new LeadportError(response);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Parses `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at_ms = Date.parse(header);
  return Number.isNaN(at_ms) ? undefined : Math.max(0, (at_ms - Date.now()) / 1000);
}
