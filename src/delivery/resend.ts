/** Resends a single delivery, or several deliveries with a result for each. */

import { logChange, type Scope } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { run, transaction, type Tx } from "../platform/database/index.ts";
import { isDuplicate } from "../platform/failed-statements/index.ts";
import { AppError, isRefusedAtGate } from "../platform/errors/index.ts";
import { bodyShape } from "../platform/operations/index.ts";
import { checker } from "../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  integer,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { findDelivery, STATUSES, type Status } from "./deliveries.ts";
import { type EnqueueDeps, refuseOpen, STILL_OPEN } from "./enqueue.ts";
import { TIMEOUT_MAX_s, type Lanes } from "./queue.ts";

export interface ResendDeps extends EnqueueDeps {
  readonly lanes?: Lanes;
}

/**
 * Resends a delivery with the same id. If the delivery has ended, its schedule restarts. If it is
 * pending, it is sent immediately. Throws 404 if it does not exist, and 409 if another delivery for
 * the same subject is pending.
 */
export async function resend(
  scope: Scope<Tx>,
  { clock, makeId, queue, lanes = {} }: ResendDeps,
  id: string,
): Promise<void> {
  const { db, tenantId } = scope;
  const delivery = await findDelivery(scope, id, { lock: true });
  if (delivery === undefined) throw new AppError("not_found");
  const isPending = delivery.status === "pending";
  const now_s = epochSeconds(clock);
  if (!isPending) await refuseOpen(scope, delivery);
  await run(db)`
    update deliveries set status = 'pending', tries = ${isPending ? delivery.tries : 0},
           next_at = to_timestamp(${now_s}), updated_ts = ${now_s}
     where tenant_id = ${tenantId} and id = ${id}`;
  if (isPending) await queue.hasten(db, id);
  const lane = await lanes[delivery.topic]?.(scope, delivery.subject_id);
  const job = { tenantId, deliveryId: id, after_s: 0, timeout_s: TIMEOUT_MAX_s };
  await queue.add(db, [{ ...job, ...(lane !== undefined && { lane }) }]);
  await logChange(scope, makeId, {
    subjectType: "delivery",
    subjectId: id,
    action: "resent",
    fields: { status: [delivery.status, "pending"] },
  });
}

/** Maximum number of deliveries to resend with one request. */
export const RESEND_MAX = 100;

const RESEND_REQUEST = bodySchema("DeliveryResendRequest", {
  ids: {
    type: "array",
    minItems: 1,
    maxItems: RESEND_MAX,
    items: { type: "string", minLength: 1, maxLength: 100 },
    description: "The ids of the deliveries. An id that is listed twice counts once.",
  },
});

export const RESEND_SHAPE = bodyShape(RESEND_REQUEST, checker({}));

const RESEND_RESULT = {
  id: string("The id of the delivery."),
  ok: boolean("Whether the delivery was resent."),
  status: {
    type: ["string", "null"],
    enum: [...STATUSES, null],
    description: "The delivery's new status; null if it was not resent.",
  },
  code: integer(
    "If it was not resent: the status code that a request for this delivery alone would return.",
  ),
  detail: string("Why it was not resent."),
  existing_id: string("For 409: the id of the delivery that is still pending."),
} as const satisfies Schemas;

/** The schemas of resend operations, keyed by their names in openapi.json. */
export const RESEND_SCHEMAS: Schemas = {
  DeliveryResendRequest: RESEND_REQUEST,
  DeliveryResendResult: objectSchema(RESEND_RESULT, ["id", "ok", "status"]),
};

interface ResendResult {
  readonly id: string;
  readonly ok: boolean;
  readonly status: Status | null;
}

/**
 * Resends several deliveries. Each has its own result. If a delivery cannot be resent, its result contains the error
 * that a request for it alone would return. Throws all other errors, for example if the database is busy. In that case,
 * no delivery is resent.
 */
export async function resendAll(
  scope: Scope<Tx>,
  deps: ResendDeps,
  ids: readonly string[],
): Promise<readonly ResendResult[]> {
  // Rows are always locked in the same order, so that concurrent requests for the same deliveries do not deadlock.
  await run(scope.db)`
    select from deliveries where tenant_id = ${scope.tenantId} and id = any(${[...ids]}::text[])
     order by id for update`;
  const results: ResendResult[] = [];
  for (const id of new Set(ids)) results.push(await resendPart(scope, deps, id));
  return results;
}

/** Resends one delivery in a savepoint, so that a failure does not affect the other deliveries. */
async function resendPart(scope: Scope<Tx>, deps: ResendDeps, id: string): Promise<ResendResult> {
  try {
    await transaction(scope.db, (db) => resend({ ...scope, db }, deps, id));
    return { id, ok: true, status: "pending" };
  } catch (error) {
    const known = resendError(error);
    if (!(known instanceof AppError) || isRefusedAtGate(known)) throw known;
    const { status: code, message: detail, members } = known;
    return { id, ok: false, status: null, code, detail, ...members } as ResendResult;
  }
}

/**
 * Converts a database error from `resend` to an API error. A duplicate key means that a concurrent request has started
 * another delivery.
 */
export const resendError = (error: unknown): unknown =>
  isDuplicate(error) ? new AppError("conflict", { detail: STILL_OPEN }) : error;
