/**
 * Limits on emails with links, so that the service cannot be abused to flood an inbox. There are limits per recipient
 * across all tenants, per sending user, and per sending business. All processes share the counts.
 */

import type { Caller } from "../access/index.ts";
import { countAttempt, type AttemptLimit } from "../limits/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";

const HOUR_s = 3600;
const DAY_s = 86_400;

/** Maximum number of emails per hour and per day. */
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
 * Counts an email that a signed-in user sends. Throws 429 with `Retry-After` if the user or the business has reached a
 * limit. Call this in the transaction that creates the link, so that no link is created in this case. Returns false if
 * only the recipient has reached the limit. Other tenants and strangers can also use up that limit. Administrators can
 * therefore still create links, and pass them on without an email.
 */
export async function countSentMail(
  tx: Tx,
  clock: Clock,
  { tenant, person }: Pick<Caller, "tenant" | "person">,
  recipient: string,
): Promise<boolean> {
  const sender = [
    ...limitsOf("user", `${tenant.id} ${person.id}`),
    ...limitsOf("business", tenant.id),
  ];
  await count(tx, clock, sender);
  return mayMail(tx, clock, recipient);
}

/** Counts an email to a recipient. If the recipient has reached the limit, counts nothing and returns false. */
export async function mayMail(db: Db | Tx, clock: Clock, recipient: string): Promise<boolean> {
  try {
    await count(db, clock, limitsOf("recipient", recipient));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_emails") return false;
    throw error;
  }
}

/** Counts emails, regardless of the request's IP address. */
const count = (db: Db | Tx, clock: Clock, limits: readonly AttemptLimit[]): Promise<void> =>
  countAttempt(db, clock, limits, "").catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "too_many_attempts") throw error;
    throw new AppError("too_many_emails", { headers: error.headers });
  });
