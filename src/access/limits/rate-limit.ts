/**
 * How many requests a credential may make: fixed windows of a minute, counted in memory and
 * synchronised with the other processes of the installation in batches (docs/rate-limits.md).
 *
 * Of k processes each may hold a share of q / (10 k) requests of a credential that the database does
 * not know of yet; what goes beyond waits for the next statement, which carries it and tells its place
 * among all. So of a limit of q no more than 1.1 q are admitted, at any speed:
 *
 * - Let D be the database's count and U what the processes hold beside it. What waits is admitted when
 *   its place in D is q at most, so it takes D to q at most. All else is part of U until its process
 *   has read a D that holds it, and U is k q / (10 k) at most. While D < q, D + U < 1.1 q.
 * - From the moment on at which D reaches q a process holds its share at most, with what it sent and
 *   has no answer to, until it reads D; and then it admits nothing.
 * - k is right. A process that joins has no share for JOINING_ms, and one whose last statement is
 *   FRESH_ms old has none either. So whoever has a share has read k after all others who have one had
 *   told of themselves, and has since sent what it held under an earlier k, as it does each second.
 *
 * A share below one request is none: each request of a small limit waits for a statement. One process
 * alone admits q and no more. Where the database does not answer, each process counts for itself, and
 * nothing waits.
 */

import { randomUUID } from "node:crypto";
import pTimeout from "p-timeout";
import type { Clock } from "../../platform/clock/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { CountedCall, Limiter, RateLimited } from "../../platform/operations/index.ts";
import { addCounts, keyOf, leaveCounting, type CountKey, type Totals } from "./request-counts.ts";

export const WINDOW_s = 60;
const OVERSHOOT = 0.1;
const EVERY_ms = 1000;
const FRESH_ms = 2000;
const JOINING_ms = 4000;
/** After how long requests no longer wait for the database. */
const GIVING_UP = { milliseconds: 1000 } as const;

export interface RateLimitDeps {
  /** One connection, behind which no request waits. */
  readonly sql: Db;
  readonly clock: Clock;
  /** Requests a minute of a credential that has no limit of its own; 0 is none. */
  readonly rateLimit: number;
  /** Told when the database begins not to answer. */
  readonly note: (error: unknown) => void;
}

export interface RateLimiter extends Limiter {
  /** Tells the database what was counted, and reads what the others did; not thrown where it fails. */
  readonly synchronise: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A credential's requests in a window, as this process knows them. */
interface Count extends CountKey {
  /** What the database told last. */
  total: number;
  /** What is on its way there. */
  sending: number;
  unsent: number;
  /** What this process alone has counted, whether or not the database knows of it. */
  own: number;
  /** Those of `unsent` that are not admitted yet, in their order. */
  waiting: Waiting[];
}

interface Waiting {
  readonly limit: number;
  readonly decide: (isAdmitted: boolean) => void;
}

const seenOf = ({ total, sending, unsent, own }: Count): number =>
  Math.max(total + sending + unsent, own);

export function createRateLimiter(deps: RateLimitDeps): RateLimiter {
  const { clock, rateLimit } = deps;
  const ledger = createLedger(deps);

  const admits = async (count: Count, limit: number): Promise<boolean> => {
    if (seenOf(count) >= limit) {
      // Nothing to add, but to be told when others gave something back.
      ledger.add(count, 0);
      return false;
    }
    ledger.add(count, 1);
    const share = ledger.shareOf(limit);
    const held = count.sending + count.unsent;
    if (held <= share) {
      if (count.unsent * 2 >= share) void ledger.synchronise();
      return true;
    }
    return new Promise((decide) => {
      count.waiting.push({ limit, decide });
      void ledger.synchronise();
    });
  };

  return {
    take: async ({ tenantId, id, rate_limit }: RateLimited) => {
      const limit = rate_limit ?? rateLimit;
      if (limit === 0) return undefined;
      const count = ledger.countOf(tenantId, id);
      const headers = () => headersOf(limit, limit - seenOf(count), secondsLeft(count, clock));
      if (await admits(count, limit)) {
        return { headers, release: () => ledger.add(count, -1) } satisfies CountedCall;
      }
      const wait = { "retry-after": String(secondsLeft(count, clock)) };
      throw new AppError("too_many_requests", { headers: { ...headers(), ...wait } });
    },
    synchronise: ledger.synchronise,
    close: ledger.close,
  };
}

/** draft-ietf-httpapi-ratelimit-headers-10: q requests in w seconds; r are left for t seconds. */
const headersOf = (limit: number, left: number, for_s: number) => ({
  "ratelimit-policy": `"default";q=${limit};w=${WINDOW_s}`,
  ratelimit: `"default";r=${Math.max(left, 0)};t=${for_s}`,
});

const secondsLeft = ({ window_s }: CountKey, clock: Clock): number =>
  Math.max(Math.ceil(window_s + WINDOW_s - clock.now_ms() / 1000), 1);

/** The counts of this process, and how they are told and learnt. */
function createLedger({ sql, clock, note }: RateLimitDeps) {
  const processId = randomUUID();
  const counts = new Map<string, Count>();
  /** Those with something to tell. */
  const changed = new Set<Count>();
  let window_s = 0;
  let used_ms = -Infinity;
  let told_ms = -Infinity;
  let joined_ms = -Infinity;
  let processes = 1;
  let isCutOff = false;

  const add = (count: Count, requests: number): void => {
    count.unsent += requests;
    count.own += requests;
    changed.add(count);
  };

  /** Those that came after the statement was sent would wait for another one. */
  const letWaitingPass = (): void => {
    for (const { waiting } of changed) for (const { decide } of waiting.splice(0)) decide(true);
  };

  const tell = async (): Promise<void> => {
    const parts = [...changed].map((count) => {
      const { unsent: requests, waiting } = count;
      count.sending = requests;
      count.unsent = 0;
      count.waiting = [];
      return { count, requests, waiting };
    });
    changed.clear();
    const began_ms = clock.now_ms();
    let answer: Totals | undefined;
    try {
      answer = await pTimeout(addCounts(sql, processId, parts), GIVING_UP);
    } catch (error) {
      if (!isCutOff) note(error);
    }
    isCutOff = answer === undefined;
    if (isCutOff) letWaitingPass();
    if (answer !== undefined) {
      if (began_ms - told_ms > FRESH_ms) joined_ms = clock.now_ms();
      told_ms = began_ms;
      processes = answer.processes;
    }
    for (const { count, waiting } of parts) {
      // Where no answer came it may be stored or not: it is not sent again, and stays in `own`.
      count.sending = 0;
      count.total = answer?.totals.get(keyOf(count)) ?? count.total;
      waiting.forEach(({ limit, decide }, at) => {
        const isAdmitted = isCutOff || count.total - waiting.length + at < limit;
        if (!isAdmitted) add(count, -1);
        decide(isAdmitted);
      });
    }
  };

  let telling = Promise.resolve();
  let next: Promise<void> | undefined;
  /** One statement at a time; who asks during one waits for the next, which carries all. */
  const synchronise = (): Promise<void> => {
    next ??= telling = telling.then(() => {
      next = undefined;
      return tell();
    });
    return next;
  };
  const timer = setInterval(() => {
    if (clock.now_ms() - used_ms < WINDOW_s * 1000) void synchronise();
  }, EVERY_ms).unref();

  return {
    add,
    synchronise,
    countOf: (tenantId: string, id: string): Count => {
      used_ms = clock.now_ms();
      const now_s = Math.floor(used_ms / 1000 / WINDOW_s) * WINDOW_s;
      if (now_s !== window_s) counts.clear();
      window_s = now_s;
      const key = `${tenantId} ${id}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const count = {
        tenantId,
        id,
        window_s,
        total: 0,
        sending: 0,
        unsent: 0,
        own: 0,
        waiting: [],
      };
      counts.set(key, count);
      return count;
    },
    /** How many requests of such a limit may be admitted before the database knows of them. */
    shareOf: (limit: number): number => {
      if (isCutOff) return Infinity;
      const now_ms = clock.now_ms();
      const hasShare = now_ms - told_ms <= FRESH_ms && now_ms - joined_ms >= JOINING_ms;
      return hasShare ? Math.floor((limit * OVERSHOOT) / processes) : 0;
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      if (used_ms < 0 || isCutOff) return;
      await synchronise();
      if (!isCutOff) await pTimeout(leaveCounting(sql, processId), GIVING_UP).catch(note);
    },
  };
}
