/**
 * How many emails with links go out: to one recipient, whoever asks for them, and from one sender, so that
 * nobody's inbox is flooded by us. They count in all processes together.
 */

import { countAttempt, type AttemptLimit, type Caller } from "../access/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";

const HOUR_s = 3600;
const DAY_s = 86_400;

/** The allowances of an hour and a day. */
const ALLOWANCES = {
  recipient: { hour: 5, day: 10 },
  user: { hour: 100, day: 300 },
  business: { hour: 300, day: 1000 },
} as const;

const limitsOf = (kind: keyof typeof ALLOWANCES, id: string): readonly AttemptLimit[] => {
  const target = `email ${kind} ${id}`;
  const { hour, day } = ALLOWANCES[kind];
  return [
    { target, most: hour, within_s: HOUR_s, isGlobal: true },
    { target, most: day, within_s: DAY_s, isGlobal: true },
  ];
};

/**
 * Counts an email that a signed-in user sends. Throws 429 with `Retry-After` if the recipient, the user or
 * the business has reached a limit. Takes the transaction of what is mailed, so that nothing is written
 * then.
 */
export async function countSentMail(
  tx: Tx,
  clock: Clock,
  { tenant, person }: Pick<Caller, "tenant" | "person">,
  recipient: string,
): Promise<void> {
  const limits = [
    ...limitsOf("recipient", recipient),
    ...limitsOf("user", `${tenant.id} ${person.id}`),
    ...limitsOf("business", tenant.id),
  ];
  await count(tx, clock, limits);
}

/** Counts an email that someone without a credential asked for. False if the recipient gets no more. */
export async function mayMail(sql: Db, clock: Clock, recipient: string): Promise<boolean> {
  try {
    await count(sql, clock, limitsOf("recipient", recipient));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_emails") return false;
    throw error;
  }
}

/** The address of the request plays no part. */
const count = (db: Db | Tx, clock: Clock, limits: readonly AttemptLimit[]): Promise<void> =>
  countAttempt(db, clock, limits, "").catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "too_many_attempts") throw error;
    throw new AppError("too_many_emails", { headers: error.headers });
  });
