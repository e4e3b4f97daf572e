/** Stores attempts and formats them for responses. */

import sql from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { run, type Tx } from "../platform/database/index.ts";
import { namesOf } from "../platform/json/index.ts";
import type { OutgoingResponse, OutgoingRequest } from "../platform/outgoing/index.ts";
import {
  described,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import {
  HEADERS,
  maskedAnswerHeaders,
  SENT,
  shownRequest,
  storedRequest,
  textBefore,
  type StoredRequest,
} from "./sent-request.ts";
import { FAULTS, type Fault } from "./topics.ts";

const STRING = { type: "string" } as const;

/**
 * The number of a delivery's newest attempts whose requests are returned. Limited because a delivery can be resent any
 * number of times.
 */
export const REQUESTS_MAX = 50;

/** The members of an attempt in lists. */
export const ATTEMPT = {
  at: string("When it happened.", { format: "date-time" }),
  status: nullable(integer("The status code of the response; null if there was none.")),
  duration_ms: integer("How long the request took, in milliseconds."),
  fault: {
    ...nullable({ ...STRING, enum: FAULTS }),
    description: "Why there was no response, or why it did not count.",
  },
} as const satisfies Schemas;

const WHOLE_ATTEMPT = {
  ...ATTEMPT,
  at: described(ATTEMPT.at, "When the attempt started."),
  answer: nullable(string("The first 2 KiB of the response's body.")),
  answer_headers: {
    ...nullable(HEADERS),
    description:
      "Response headers. Null if there was no response, and for attempts by earlier versions.",
  },
  answer_bytes: nullable(
    integer("The number of bytes read from the response body, at most 65,536."),
  ),
  request: {
    anyOf: [objectSchema(SENT), { type: "null" }],
    description:
      "The request that was sent, or that would have been sent without the `fault`. Null if no " +
      "request was created, for attempts by earlier versions, and for all except the newest " +
      `${REQUESTS_MAX} attempts.`,
  },
} as const satisfies Schemas;

export interface ShownAttempt extends Members<typeof WHOLE_ATTEMPT> {}

/**
 * The array lists the required members. `answer` remains optional, as it was before `answer_headers`, `answer_bytes`
 * and `request` were added.
 */
export const WHOLE_ATTEMPT_SCHEMA = objectSchema(WHOLE_ATTEMPT, [
  ...namesOf(ATTEMPT),
  "answer_headers",
  "answer_bytes",
  "request",
]);

/** The columns of an attempt in lists. */
export const ATTEMPT_COLUMNS = sql`
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, status, duration_ms, fault`;

/** The maximum size of a stored response body. */
const ANSWER_BYTES_MAX = 2048;

export interface NewAttempt {
  readonly id: string;
  readonly at_ms: number;
  readonly duration_ms: number;
  /** The request that was sent. Undefined if it could not be created. */
  readonly sent: OutgoingRequest | undefined;
  readonly answer: OutgoingResponse | undefined;
  readonly fault: Fault | null;
}

const asJson = (value: object | undefined) => sql`${value ?? null}::json`;

export async function addAttempt(
  { db, tenantId }: Scope<Tx>,
  deliveryId: string,
  { id, at_ms, duration_ms, sent, answer, fault }: NewAttempt,
): Promise<void> {
  const stored = sent && storedRequest(sent);
  await run(db)`
    insert into delivery_attempts (tenant_id, delivery_id, id, at, status, duration_ms, fault,
                                   request, request_body, request_bytes,
                                   answer, answer_headers, answer_bytes)
    values (${tenantId}, ${deliveryId}, ${id}, ${new Date(at_ms)}, ${answer?.status ?? null},
            ${duration_ms}, ${fault}, ${asJson(stored?.request)},
            ${stored?.request_body ?? null}, ${stored?.request_bytes ?? null},
            ${answer ? beginningOf(answer.body) : null},
            ${asJson(answer && maskedAnswerHeaders(answer.headers))},
            ${answer?.body.length ?? null})`;
}

/** Decodes the beginning of a response body. Replaces invalid UTF-8 and U+0000 with U+FFFD. */
function beginningOf(body: Buffer): string {
  const head = body.subarray(0, ANSWER_BYTES_MAX);
  return textBefore(head, body.length).replaceAll("\0", "\uFFFD");
}

type StoredAttempt = Omit<ShownAttempt, "request"> & {
  readonly [K in keyof StoredRequest]: StoredRequest[K] | null;
};

/** Returns all attempts of a delivery, oldest first. */
export async function readAttempts(
  { db, tenantId }: Scope,
  deliveryId: string,
): Promise<readonly ShownAttempt[]> {
  const rows = await run<StoredAttempt[]>(db)`
    select ${ATTEMPT_COLUMNS}, answer, answer_headers, answer_bytes, request_bytes,
           case when newer < ${REQUESTS_MAX} then request end as request,
           case when newer < ${REQUESTS_MAX} then request_body end as request_body
      from (select *, row_number() over (order by id desc) - 1 as newer from delivery_attempts
             where tenant_id = ${tenantId} and delivery_id = ${deliveryId}) a
     order by id`;
  return rows.map(({ request, request_body, request_bytes, ...attempt }) => ({
    ...attempt,
    request: request && shownRequest({ request, request_body, request_bytes: request_bytes ?? 0 }),
  }));
}
