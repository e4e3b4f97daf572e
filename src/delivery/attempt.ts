/** Makes one attempt at a delivery: sends the request and records the outcome. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { isSuspended } from "../tenants/index.ts";
import { SERVICE, type Scope } from "../audit/index.ts";
import { currentSpan } from "../platform/admission/index.ts";
import type { Db } from "../platform/database/index.ts";
import { isUnavailable } from "../platform/failed-statements/index.ts";
import { OutgoingError } from "../platform/outgoing/index.ts";
import { findDelivery, type Delivery } from "./deliveries.ts";
import {
  type AttemptDeps,
  type AttemptOutcome,
  type Outcome,
  recordOutcome,
} from "./record-attempt.ts";
import type { TakenJob } from "./queue.ts";
import { webhookHeaders } from "./signing/index.ts";
import { isAccepted } from "./try-sending.ts";
import type { Fault, SignedRequest, Topic } from "./topics.ts";

/** Attempts the job's delivery. Throws only if the database is unavailable or the outcome could not be recorded. */
export async function attempt(job: TakenJob, deps: AttemptDeps): Promise<void> {
  const scope: Scope<Db> = { db: deps.sql, tenantId: job.tenantId, actor: SERVICE };
  const delivery = await findDelivery(scope, job.deliveryId, { lock: false });
  // A suspended tenant's delivery stays pending. When the tenant is resumed, upkeep.ts adds a new job for it.
  if (delivery?.status !== "pending" || (await isSuspended(deps.sql, job.tenantId))) {
    await deps.queue.drop(deps.sql, job.id);
    return;
  }
  const topic = deps.topics[delivery.topic];
  if (topic === undefined)
    deps.log.error({ topic: delivery.topic }, "A delivery has an unknown topic");
  const outcome = await send(scope, delivery, topic, { job, deps });
  const { fault, answer } = outcome;
  const result = fault ?? (isAccepted(answer) ? "accepted" : "rejected");
  deps.attempted?.(delivery.topic, result);
  const span = currentSpan();
  span?.set({ "leadport.topic": delivery.topic, "leadport.outcome": result });
  if (result !== "accepted" && result !== "skipped") span?.fail(result);
  await recordReliably(scope, { job, topic, outcome }, deps);
}

async function send(
  scope: Scope<Db>,
  delivery: Delivery,
  topic: Topic | undefined,
  { job, deps }: { readonly job: TakenJob; readonly deps: AttemptDeps },
): Promise<Outcome> {
  const at_ms = deps.clock.now_ms();
  const none = { url: null, sent: undefined, answer: undefined } as const;
  const base = { ...none, at_ms, duration_ms: 0, timeout_s: job.timeout_s };
  let request: SignedRequest | "skip";
  try {
    if (topic === undefined) return { ...base, fault: "internal" };
    request = await topic.request(scope, delivery);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    deps.log.error({ err: error, delivery: delivery.id }, "Creating a delivery's request failed");
    return { ...base, fault: "internal" };
  }
  if (request === "skip") return { ...base, fault: "skipped" };
  const { url, timeout_s } = request;
  // The request's timeout must not exceed the job's timeout. Otherwise, the job would count as lost while the request
  // is in progress.
  const within_s = Math.min(timeout_s, job.timeout_s);
  const sent = { ...signed(request, delivery.id, at_ms), timeout_s: within_s };
  const took = () => Math.round(deps.clock.now_ms() - at_ms);
  const made = { at_ms, url, timeout_s, sent };
  try {
    const answer = await deps.outgoing.send(sent);
    return { ...made, duration_ms: took(), answer, fault: null };
  } catch (error) {
    const fault = shownFault(error, { scope, delivery, log: deps.log });
    return { ...made, duration_ms: took(), answer: undefined, fault };
  }
}

/** Returns the fault shown to the webhook's owner, and logs details for the operator. */
function shownFault(
  error: unknown,
  { scope, delivery, log }: { scope: Scope<Db>; delivery: Delivery; log: Logger },
): Fault {
  const about = { tenant: scope.tenantId, delivery: delivery.id };
  if (!(error instanceof OutgoingError)) {
    log.error({ err: error, ...about }, "A delivery failed unexpectedly");
    return "internal";
  }
  const { fault, message: reason } = error;
  if (fault === "refused_address") log.warn({ ...about, fault, reason }, "A delivery was not sent");
  return error.shown.fault;
}

function signed(request: SignedRequest, id: string, now_ms: number) {
  const { secrets = [], url, method, headers, body, by } = request;
  const now_s = Math.floor(now_ms / 1000);
  const ours = webhookHeaders({ id, now_s, body: body ?? "", secrets });
  const theirs = Object.entries(headers).filter(
    ([name]) => !Object.hasOwn(ours, name.toLowerCase()),
  );
  const sent = { ...Object.fromEntries(theirs), ...ours };
  return { url, method, body, headers: sent, ...(by && { by }) };
}

/** Delays between attempts to record an outcome. Together, they exceed the duration of a database restart. */
const RECORD_AGAIN_ms: readonly number[] = [100, 300, 1000, 2000];

/**
 * Records the outcome, and retries during a short database outage. If `onDelivered` fails after a 2xx, the attempt
 * counts as failed and the delivery is retried with the same id.
 */
async function recordReliably(
  scope: Scope<Db>,
  attempt: AttemptOutcome,
  deps: AttemptDeps,
): Promise<void> {
  for (const wait_ms of [...RECORD_AGAIN_ms, undefined]) {
    try {
      await recordOutcome(scope, attempt, deps);
      return;
    } catch (error) {
      if (isUnavailable(error) && wait_ms !== undefined) {
        await sleep(wait_ms);
        continue;
      }
      if (isUnavailable(error) || attempt.outcome.fault === "internal") throw error;
      deps.log.error(
        { err: error, delivery: attempt.job.deliveryId },
        "The follow-up actions of a delivery failed",
      );
      const outcome: Outcome = { ...attempt.outcome, fault: "internal" };
      await recordOutcome(scope, { ...attempt, outcome }, deps);
      return;
    }
  }
}
