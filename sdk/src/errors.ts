/** What a call fails with: an answer that is an error, or no answer at all. */

/** One thing that is wrong with a request (422). */
export interface Issue {
  readonly type: string;
  /** Where: `body`, `query`, `path` or `header`, then names and indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

interface AnsweredError {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** The parsed JSON of the answer; its text where it is none. */
  readonly body: unknown;
}

/** The service answered with a status of 300 or more. */
export class LeadportError extends Error {
  override readonly name: string = "LeadportError";
  readonly status: number;
  readonly method: string;
  readonly path: string;
  /** A sentence; of a 422 what is wrong, one after another. */
  readonly detail: string;
  /** All that is wrong with the request; empty but on a 422. */
  readonly issues: readonly Issue[];
  /** The record that stands in the way of this one (409). */
  readonly existing_id: string | undefined;
  /** The fields that others changed since the version of `ifMatch` (412); null where unknown. */
  readonly changed_fields: readonly string[] | null | undefined;
  /** How long to wait before another try, in seconds. */
  readonly retryAfter_s: number | undefined;
  /** What the service's log calls this request. */
  readonly requestId: string | undefined;
  /** The whole answer, with members that only some errors have. */
  readonly body: unknown;

  constructor({ status, method, path, headers, body }: AnsweredError) {
    const members = isObject(body) ? body : {};
    const issues = Array.isArray(members["detail"]) ? (members["detail"] as Issue[]) : [];
    const told = issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
    const detail = typeof members["detail"] === "string" ? members["detail"] : told;
    super(`${method} ${path}: ${status} ${detail}`.trimEnd());
    this.status = status;
    this.method = method;
    this.path = path;
    this.detail = detail;
    this.issues = issues;
    this.existing_id = members["existing_id"] as string | undefined;
    this.changed_fields = members["changed_fields"] as readonly string[] | null | undefined;
    this.retryAfter_s = secondsOf(headers.get("retry-after"));
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.body = body;
  }
}

/**
 * The cursor is older than the changes that are kept, or the database was restored to a state before
 * it (410): take a new cursor, read all records again, then continue from that cursor.
 */
export class CursorExpired extends LeadportError {
  override readonly name: string = "CursorExpired";
}

/** No answer came: the connection failed, broke off, or took too long. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";

  constructor(method: string, path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${method} ${path}: no answer (${why})`, { cause });
  }
}

/** An error of one status; a negated test leaves the others. */
export type Answered<S extends number> = LeadportError & { readonly status: S };

/** Whether a call failed with a status. */
export const hasStatus =
  <S extends number>(status: S) =>
  (error: unknown): error is Answered<S> =>
    error instanceof LeadportError && error.status === status;

/** Whether a call failed because of what is stored already (409). */
export const isConflict: (error: unknown) => error is Answered<409> = hasStatus(409);

/** Whether a call failed because others changed the record first (412). */
export const isPreconditionFailed: (error: unknown) => error is Answered<412> = hasStatus(412);

/** Whether there is no such record, or none that the credential may see (404). */
export const isNotFound: (error: unknown) => error is Answered<404> = hasStatus(404);

/** Whether the request itself is wrong (422); `issues` say where. */
export const isInvalid: (error: unknown) => error is Answered<422> = hasStatus(422);

export const errorOf = (answered: AnsweredError): LeadportError =>
  answered.status === 410 ? new CursorExpired(answered) : new LeadportError(answered);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at_ms = Date.parse(header);
  return Number.isNaN(at_ms) ? undefined : Math.max(0, (at_ms - Date.now()) / 1000);
}
