/**
 * Records the outcome of an attempt. One transaction stores the attempt and the delivery's new state, runs the topic's
 * callbacks, and adds the job for the next attempt. Concurrent writes to a delivery wait for its row lock.
 */

import type { Scope } from "../audit/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { addAttempt, type NewAttempt } from "./attempts.ts";
import { findDelivery, type Delivery, type Status } from "./deliveries.ts";
import { nextGap_s } from "./schedule.ts";
import { isAccepted } from "./try-sending.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import type { Logger } from "pino";
import type { Outgoing } from "../platform/outgoing/index.ts";
import type { Queue, TakenJob } from "./queue.ts";
import type { Topic, Topics } from "./topics.ts";

export interface AttemptDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly log: Logger;
  readonly outgoing: Outgoing;
  readonly topics: Topics;
  readonly queue: Queue;
  /** Counts an attempt in the metrics. The outcome is `accepted`, `rejected` or the kind of failure. */
  readonly attempted?: ((topic: string, outcome: string) => void) | undefined;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** The delays between attempts. Default: the schedule in docs/webhooks.md. */
  readonly gaps_s?: readonly number[];
}

/** The outcome of an attempt. */
export interface Outcome extends Omit<NewAttempt, "id"> {
  readonly url: string | null;
  /** The timeout of the request, even if the request was not sent. */
  readonly timeout_s: number;
}

export interface AttemptOutcome {
  readonly job: TakenJob;
  readonly topic: Topic | undefined;
  readonly outcome: Outcome;
}

const GONE = 410;

export async function recordOutcome(
  scope: Scope<Db>,
  attempt: AttemptOutcome,
  deps: AttemptDeps,
): Promise<void> {
  await transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const delivery = await findDelivery(within, attempt.job.deliveryId, { lock: true });
    await deps.queue.drop(tx, attempt.job.id);
    if (delivery === undefined) return;
    const done = { ...attempt.outcome, id: deps.makeId() };
    const isCleared = done.at_ms < (delivery.cleared_until_ms ?? 0);
    await addAttempt(within, delivery.id, isCleared ? withoutContents(done) : done);
    if (delivery.status === "pending") await advance(within, delivery, attempt, deps);
  });
}

/** Removes the contents of the request and response from an attempt whose data was erased while it was in progress. */
const withoutContents = ({ answer, ...attempt }: NewAttempt): NewAttempt => ({
  ...attempt,
  sent: undefined,
  answer: answer && { ...answer, headers: {}, body: Buffer.alloc(0) },
});

const hasArrived = ({ answer, fault }: Outcome): boolean => fault === null && isAccepted(answer);

/** Ends a delivery or schedules its next attempt. */
async function advance(
  scope: Scope<Tx>,
  delivery: Delivery,
  { job, topic, outcome }: AttemptOutcome,
  deps: AttemptDeps,
): Promise<void> {
  const { answer } = outcome;
  const end = (status: Exclude<Status, "pending">) =>
    update(scope, delivery.id, { status, next_at: null, url: outcome.url }, deps);
  if (hasArrived(outcome) && answer !== undefined) {
    await end("delivered");
    // `onDelivered` is not called again when a delivery that was already accepted is resent.
    if (delivery.delivered_ts === null) await topic?.onDelivered(scope, delivery, answer);
    return;
  }
  const after_s = gapAfter(delivery, outcome, deps);
  if (after_s === undefined) {
    const ended = answer?.status === GONE ? "gone" : "failed";
    await end(ended);
    const { at_ms, url } = outcome;
    await topic?.onGivenUp?.(scope, delivery, { ended, at_ms, url });
    return;
  }
  const next_ms = deps.clock.now_ms() + after_s * 1000;
  const next = { status: "pending", next_at: new Date(next_ms), url: outcome.url } as const;
  await update(scope, delivery.id, next, deps);
  const { tenantId, deliveryId, lane } = job;
  const { timeout_s } = outcome;
  await deps.queue.add(scope.db, [{ tenantId, deliveryId, after_s, timeout_s, lane }]);
}

interface NextState extends Pick<Delivery, "status">, Pick<Outcome, "url"> {
  readonly next_at: Date | null;
}

/** Returns the seconds until the next attempt; undefined if there is none. */
function gapAfter(
  { tries }: Delivery,
  { answer, fault }: Outcome,
  { clock, random, gaps_s }: AttemptDeps,
): number | undefined {
  if (fault === "skipped" || answer?.status === GONE) return undefined;
  const { status = null, headers = {} } = answer ?? {};
  const schedule = { now_ms: clock.now_ms, random, ...(gaps_s && { gaps_s }) };
  return nextGap_s({ tries: tries + 1, status, headers }, schedule);
}

async function update(
  { db, tenantId }: Scope<Tx>,
  id: string,
  { status, next_at, url }: NextState,
  { clock }: AttemptDeps,
): Promise<void> {
  const now_s = Math.floor(clock.now_ms() / 1000);
  const delivered_s = status === "delivered" ? now_s : null;
  await run(db)`
    update deliveries
       set status = ${status}, next_at = ${next_at}, url = coalesce(${url}, url),
           attempts = attempts + 1, tries = tries + 1,
           delivered_ts = coalesce(delivered_ts, ${delivered_s}), updated_ts = ${now_s}
     where tenant_id = ${tenantId} and id = ${id}`;
}
