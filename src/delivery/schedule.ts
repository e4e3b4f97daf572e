/** The retry schedule for deliveries, and how `Retry-After` changes it. */

/** The delay before each attempt. The number of entries is the number of attempts. */
export const GAPS_s: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/**
 * Maximum random variation, as a fraction of the delay. It prevents deliveries that failed at the same time from being
 * retried at the same time.
 */
const JITTER = 0.1;

/** Response statuses for which `Retry-After` is honored. */
const WITH_RETRY_AFTER = new Set([429, 503]);

export interface Failure {
  /** The number of attempts since the delivery was queued or last resent, including the failed one. */
  readonly tries: number;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ScheduleDeps {
  readonly now_ms: () => number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly gaps_s?: readonly number[];
}

/** Returns the seconds until the next attempt; undefined if there are no more attempts. */
export function nextGap_s(
  { tries, status, headers }: Failure,
  { now_ms, random, gaps_s = GAPS_s }: ScheduleDeps,
): number | undefined {
  const gap_s = gaps_s[tries];
  if (gap_s === undefined) return undefined;
  const jittered_s = gap_s * (1 + JITTER * (2 * random() - 1));
  const requested_s = WITH_RETRY_AFTER.has(status ?? 0)
    ? retryAfter_s(headers["retry-after"], now_ms())
    : 0;
  // An endpoint's `Retry-After` cannot postpone an attempt by more than the schedule's longest delay.
  return Math.max(jittered_s, Math.min(requested_s, gaps_s.at(-1) ?? 0));
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses `Retry-After` into seconds from now (RFC 9110, 10.2.3). Returns 0 if it is invalid or in the past. */
export function retryAfter_s(text: string | undefined, now_ms: number): number {
  const value = text?.trim() ?? "";
  if (/^\d{1,10}$/.test(value)) return Number(value);
  if (!HTTP_DATE.test(value)) return 0;
  const at_ms = Date.parse(value);
  return Number.isNaN(at_ms) ? 0 : Math.max(0, (at_ms - now_ms) / 1000);
}
