/** Every failure a caller can see: 422 with its issues, or a row of the catalogue. */

/** One thing that is wrong with a request: shapes, types and messages as in docs/errors.md. */
export interface Issue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A response lists at most so many issues. */
export const ISSUES_MAX = 100;

/** The request is wrong (422). Holds what is wrong with it, of which a response shows the first ISSUES_MAX. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const first = issues.slice(0, ISSUES_MAX);
    // A member's name can be as long as a body.
    const placeOf = ({ loc }: Issue) => loc.map((part) => String(part).slice(0, 100)).join(".");
    super(first.map((issue) => `${placeOf(issue)}: ${issue.msg}`).join("; "));
    this.issues = issues;
  }
}

const CATALOGUE = {
  nothing_to_change: [400, "No fields provided for update"],
  several_hosts: [400, "The request has more than one Host header"],
  unauthenticated: [401, "Not authenticated"],
  wrong_credentials: [401, "Wrong e-mail or password"],
  second_factor_needed: [401, "Enter a code of your second factor"],
  wrong_second_factor: [401, "This code of the second factor is wrong or was used before"],
  not_permitted: [403, "This token may not do that"],
  address_refused: [403, "This credential may not be used from this address"],
  quota_exceeded: [403, "The storage quota does not allow this"],
  second_factor_needs_link: [
    403,
    "Too many wrong codes: your second factor is paused until you set a password with a new link. A recovery code still works.",
  ],
  cross_site: [403, "This request came from a page of another site"],
  not_found: [404, "Not Found"],
  method_not_allowed: [405, "Method Not Allowed"],
  body_too_slow: [408, "The request body took too long to arrive"],
  conflict: [409, "The request conflicts with what is stored"],
  key_in_use: [409, "A request with this Idempotency-Key is still being answered; try again"],
  cursor_expired: [
    410,
    "This cursor is older than the changes that are kept, or not of this history",
  ],
  precondition_failed: [412, "The record was changed since you read it"],
  body_too_large: [413, "The request body is larger than this operation takes"],
  too_many_members: [413, "The body has more than 50,000 members and elements"],
  too_many_requests: [429, "This credential has made all the requests it may make for now"],
  too_many_at_once: [429, "This credential has too many requests in progress; try again"],
  tenant_busy: [429, "Too many requests of this tenant are waiting for the database; try again"],
  too_many_attempts: [429, "Too many attempts; try again later"],
  second_factor_paused: [
    429,
    "Too many wrong codes: your second factor is paused for 15 minutes. A recovery code still works.",
  ],
  too_many_emails: [429, "Too many emails; try again later"],
  too_many_passwords: [
    429,
    "Too many passwords from your network are being checked at once; try again",
  ],
  too_many_anonymous: [
    429,
    "Too many requests without a credential from your address; try again later",
  ],
  too_many_uploads: [429, "Too many bytes of request bodies are in progress; try again"],
  internal: [500, "Internal Server Error"],
  duplicate_check_failed: [
    503,
    "The system that knows the tenant's persons did not answer; try again",
  ],
  too_busy: [503, "Too many passwords are being checked at once; try again"],
  service_busy: [503, "Too many requests are waiting for the database; try again"],
  too_much_data: [503, "The service is receiving too many request bodies; try again"],
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
  /** Members beside `detail` that a program needs (`existing_id`, `status`). */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

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

/** A reason not to start or not to continue, in a sentence for the user of the command line. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Whether a request was refused because the database was too busy, or its connection was closed. */
export const isRefusedAtGate = (error: unknown): boolean =>
  error instanceof AppError && ["tenant_busy", "service_busy", "not_started"].includes(error.code);
