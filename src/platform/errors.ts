/**
 * Every failure a caller can see. A 422 lists its issues in the shape of HTTPValidationError (D1.6);
 * every other failure is a row of the catalogue and answers `{"detail": "<sentence>"}` (D1.5).
 * docs/errors.md lists the same codes; a test holds the two together.
 */

/** One thing that is wrong with a request: shapes, types and messages as in D1.6. */
export interface Issue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** The request is wrong (422). Holds all that is wrong with it, at most ISSUES_MAX of which are told. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.issues = issues;
  }
}

const CATALOGUE = {
  nothing_to_change: [400, "No fields provided for update"],
  unauthenticated: [401, "Not authenticated"],
  wrong_credentials: [401, "Wrong e-mail or password"],
  second_factor_needed: [401, "Enter a code of your second factor"],
  wrong_second_factor: [401, "This code of the second factor is wrong or was used before"],
  not_permitted: [403, "This token may not do that"],
  address_refused: [403, "This credential may not be used from this address"],
  cross_site: [403, "This request came from a page of another site"],
  not_found: [404, "Not Found"],
  method_not_allowed: [405, "Method Not Allowed"],
  conflict: [409, "The request conflicts with what is stored"],
  key_in_use: [409, "A request with this Idempotency-Key is still being answered; try again"],
  cursor_expired: [410, "This cursor is older than the changes that are kept"],
  precondition_failed: [412, "The record was changed since you read it"],
  body_too_large: [413, "The request body is larger than this operation takes"],
  too_many_requests: [429, "This credential has made all the requests it may make for now"],
  too_many_attempts: [429, "Too many attempts; try again later"],
  internal: [500, "Internal Server Error"],
  duplicate_check_failed: [
    503,
    "The system that knows the tenant's persons did not answer; try again",
  ],
  too_busy: [503, "Too many passwords are being checked at once; try again"],
  database_unavailable: [503, "The database cannot be reached; try again"],
  not_started: [
    503,
    "The database was too busy to start this request, so nothing was written; try again",
  ],
  too_slow: [503, "The database did not finish this request in time; try again"],
  disk_full: [503, "The database's disk is full, so nothing can be written; try again later"],
  stopping: [503, "The service is stopping; try again"],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ErrorCode = keyof typeof CATALOGUE;

/** For documentation: what may be answered beside 422. */
export const errorCatalogue: Readonly<Record<ErrorCode, readonly [number, string]>> = CATALOGUE;

interface ErrorParts {
  /** The sentence, where it says more than the catalogue's. Never holds a secret. */
  readonly detail?: string;
  /** Members beside `detail` that a program needs (`existing_id`, `status`, D1.5). */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure from the catalogue. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, { detail, members = {}, headers = {} }: ErrorParts = {}) {
    super(detail ?? CATALOGUE[code][1]);
    this.code = code;
    this.status = CATALOGUE[code][0];
    this.members = members;
    this.headers = headers;
  }
}
