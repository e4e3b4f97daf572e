/** All errors that clients can receive: either a 422 error with its issues, or an entry from the error catalog. */

/** The types of the problems in a request. docs/errors.md lists them. */
export const ISSUE_TYPES = [
  "bool_parsing",
  "bool_type",
  "conflict",
  "datetime_parsing",
  "decimal_max_digits",
  "decimal_max_places",
  "dict_type",
  "enum",
  "extra_forbidden",
  "finite_number",
  "float_type",
  "frozen_field",
  "greater_than_equal",
  "int_from_float",
  "int_parsing",
  "int_type",
  "json_invalid",
  "less_than",
  "less_than_equal",
  "list_type",
  "missing",
  "model_attributes_type",
  "string_too_long",
  "string_too_short",
  "string_type",
  "string_unicode",
  "too_long",
  "too_short",
  "value_error",
] as const;

/** One problem in a request. */
export interface Issue {
  readonly type: (typeof ISSUE_TYPES)[number];
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Maximum number of issues in a response. */
export const ISSUES_MAX = 100;

/** The error for an invalid request (422). The response contains the first ISSUES_MAX issues. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const first = issues.slice(0, ISSUES_MAX);
    // Truncate each part of the location, because a member name can be as long as the body.
    const placeOf = ({ loc }: Issue) => loc.map((part) => String(part).slice(0, 100)).join(".");
    super(first.map((issue) => `${placeOf(issue)}: ${issue.msg}`).join("; "));
    this.issues = issues;
  }
}

const CATALOG = {
  nothing_to_change: [400, "No fields provided for update"],
  several_hosts: [400, "The request has more than one Host header"],
  unauthenticated: [401, "Not authenticated"],
  wrong_credentials: [401, "Wrong email or password"],
  second_factor_needed: [401, "Enter a code from your authenticator app, or a recovery code"],
  wrong_second_factor: [401, "The second-factor code is wrong or was already used"],
  not_permitted: [403, "This credential lacks the required permission"],
  address_refused: [403, "This credential is not allowed from this IP address"],
  tenant_suspended: [403, "This business is suspended. Contact the operator of this installation."],
  quota_exceeded: [403, "This would exceed the storage quota"],
  second_factor_needs_link: [
    403,
    "Too many wrong codes: your second factor is paused until you set a new password with a reset link. Recovery codes still work.",
  ],
  cross_site: [403, "This request came from a page on another site"],
  not_found: [404, "Not Found"],
  method_not_allowed: [405, "Method Not Allowed"],
  body_too_slow: [408, "The request body took too long to arrive"],
  conflict: [409, "The request conflicts with existing data"],
  key_in_use: [409, "A request with this Idempotency-Key is still in progress; try again"],
  cursor_expired: [
    410,
    "This cursor is older than the retained changes, or was issued before a restore or by another installation",
  ],
  report_expired: [410, "This report is older than 24 hours; create another one"],
  precondition_failed: [412, "The record was changed since you read it"],
  body_too_large: [413, "The request body is too large for this operation"],
  too_many_members: [413, "The body has more than 50,000 members and elements"],
  too_many_requests: [429, "This credential has reached its request limit; try again later"],
  too_many_at_once: [429, "This credential has too many requests in progress; try again"],
  tenant_busy: [429, "Too many requests from this tenant are waiting for the database; try again"],
  too_many_attempts: [429, "Too many attempts; try again later"],
  second_factor_paused: [
    429,
    "Too many wrong codes: your second factor is paused for 15 minutes. Recovery codes still work.",
  ],
  too_many_emails: [429, "Too many emails; try again later"],
  too_many_passwords: [
    429,
    "Too many sign-in attempts from your network are in progress; try again",
  ],
  too_many_anonymous: [
    429,
    "Too many requests without a credential from your address; try again later",
  ],
  too_many_uploads: [
    429,
    "The total size of your concurrent request bodies exceeds the limit; try again",
  ],
  internal: [500, "Internal Server Error"],
  duplicate_check_failed: [
    503,
    "The tenant's duplicate check did not return a valid response; try again",
  ],
  too_busy: [503, "Too many sign-in attempts are in progress; try again"],
  person_busy: [
    503,
    "Other requests are pushing this person at the same time, so nothing was written; try again",
  ],
  service_busy: [503, "Too many requests are waiting for the database; try again"],
  too_much_data: [503, "The service is receiving too much data at once; try again"],
  database_unavailable: [503, "The database is unavailable; try again"],
  not_started: [
    503,
    "The database was too busy to start this request, so nothing was written; try again",
  ],
  too_slow: [503, "The database did not finish this request in time; try again"],
  transaction_running: [
    503,
    "A long database transaction is running, so the events that this webhook receives cannot be determined yet; try again",
  ],
  disk_full: [503, "The database's disk is full, so nothing can be written; try again later"],
  stopping: [503, "The service is stopping; try again"],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ErrorCode = keyof typeof CATALOG;

/** All errors except 422, for the documentation. */
export const errorCatalog: Readonly<Record<ErrorCode, readonly [number, string]>> = CATALOG;

interface ErrorParts {
  /** The message, which replaces that of the catalog. It must not contain secrets. */
  readonly detail?: string;
  /** Additional members of the response body, such as `existing_id` and `status`, for programs. */
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
    super(detail ?? CATALOG[code][1]);
    this.code = code;
    this.status = CATALOG[code][0];
    this.members = members;
    this.headers = headers;
  }
}

/** An error that prevents startup or ends a command, with a message for command-line users. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Whether a request was refused because the database was too busy or because the client closed the connection. */
export const isRefusedAtGate = (error: unknown): boolean =>
  error instanceof AppError && ["tenant_busy", "service_busy", "not_started"].includes(error.code);
