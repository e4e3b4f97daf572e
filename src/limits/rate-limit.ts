/**
 * Limits each credential's requests in fixed one-minute windows. Requests are counted in memory and synchronized in
 * batches with the installation's other processes (docs/rate-limits.md).
 *
 * For a limit of q, each of k processes may admit a share of q / (10 k) requests that the database does not know about
 * yet. Further requests wait for the next statement, which adds them to the database and returns their position. So at
 * most 1.1 q requests are admitted, however fast they arrive:
 *
 * - Let D be the database's count and U the number of admitted requests that D does not include. Waiting requests are
 *   admitted if their position in D is at most q, so they raise D to at most q. All other admitted requests are part of
 *   U until their process has read a D that includes them, and U is at most k q / (10 k). While D < q, D + U < 1.1 q.
 * - After D reaches q, a process admits at most its share until it next reads D, including requests it has sent but has
 *   no result for yet. From then on, it admits nothing.
 * - k is correct. A new process has no share for JOINING_ms, nor does a process whose last statement is older than
 *   FRESH_ms. So every process with a share has read k after all other processes with a share registered. It has also
 *   sent the requests that it admitted under an earlier k, because it sends every second.
 *
 * A share of less than one request counts as zero, so with a small limit each request waits for a statement. A single
 * process admits exactly q. If the database does not respond, each process counts on its own and no request waits.
 */

import { randomUUID } from "node:crypto";
import pTimeout from "p-timeout";
import type { Clock } from "../platform/clock/index.ts";
import type { Db } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { CountedCall, Limiter, RateLimited } from "../platform/operations/index.ts";
import { addCounts, keyOf, leaveCounting, type CountKey, type Totals } from "./request-counts.ts";

export const WINDOW_s = 60;
const OVERSHOOT = 0.1;
const EVERY_ms = 1000;
const FRESH_ms = 2000;
const JOINING_ms = 4000;
/** How long requests wait for the database. */
const TIMEOUT = { milliseconds: 1000 } as const;

export interface RateLimitDeps {
  /** A separate connection, which is used only for counting. */
  readonly sql: Db;
  readonly clock: Clock;
  /** Requests per minute for credentials without their own limit. 0 means unlimited. */
  readonly rateLimit: number;
  /** Called when the database stops responding. */
  readonly note: (error: unknown) => void;
}

export interface RateLimiter extends Limiter {
  /** Sends this process's counts to the database and reads the totals. Never throws. */
  readonly synchronize: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A credential's requests in a window, as known to this process. */
interface Count extends CountKey {
  /** The last count read from the database. */
  total: number;
  /** The number of requests in the statement that is currently running. */
  sending: number;
  unsent: number;
  /** All requests counted by this process, whether or not the database includes them. */
  own: number;
  /** The requests in `unsent` that have not been admitted yet, in order. */
  waiting: Waiting[];
}

interface Waiting {
  readonly limit: number;
  readonly decide: (isAdmitted: boolean) => void;
}

/** What a statement stores of a count. */
interface Part {
  readonly count: Count;
  readonly requests: number;
  readonly waiting: readonly Waiting[];
}

const knownOf = ({ total, sending, unsent, own }: Count): number =>
  Math.max(total + sending + unsent, own);

export function createRateLimiter(deps: RateLimitDeps): RateLimiter {
  const { clock, rateLimit } = deps;
  const ledger = new Ledger(deps);

  const admits = async (count: Count, limit: number): Promise<boolean> => {
    if (knownOf(count) >= limit) {
      // Adds no requests, but makes the next statement check whether other processes have released requests.
      ledger.add(count, 0);
      return false;
    }
    ledger.add(count, 1);
    const share = ledger.shareOf(limit);
    const unconfirmed = count.sending + count.unsent;
    if (unconfirmed <= share) {
      if (count.unsent * 2 >= share) void ledger.synchronize();
      return true;
    }
    return new Promise((decide) => {
      count.waiting.push({ limit, decide });
      void ledger.synchronize();
    });
  };

  return {
    take: async ({ tenantId, id, rate_limit }: RateLimited) => {
      const limit = rate_limit ?? rateLimit;
      if (limit === 0) return undefined;
      const count = ledger.countOf(tenantId, id);
      const headers = () => headersOf(limit, limit - knownOf(count), secondsLeft(count, clock));
      if (await admits(count, limit)) {
        return { headers, release: () => ledger.add(count, -1) } satisfies CountedCall;
      }
      const wait = { "retry-after": String(secondsLeft(count, clock)) };
      throw new AppError("too_many_requests", { headers: { ...headers(), ...wait } });
    },
    synchronize: () => ledger.synchronize(),
    close: () => ledger.close(),
  };
}

/**
 * Follows draft-ietf-httpapi-ratelimit-headers-10: q requests per w seconds, of which r remain for the next t seconds.
 */
const headersOf = (limit: number, remaining: number, for_s: number) => ({
  "ratelimit-policy": `"default";q=${limit};w=${WINDOW_s}`,
  ratelimit: `"default";r=${Math.max(remaining, 0)};t=${for_s}`,
});

const secondsLeft = ({ window_s }: CountKey, clock: Clock): number =>
  Math.max(Math.ceil(window_s + WINDOW_s - clock.now_ms() / 1000), 1);

/** This process's counts, which are synchronized with the database. */
class Ledger {
  readonly #deps: RateLimitDeps;
  readonly #processId = randomUUID();
  readonly #counts = new Map<string, Count>();
  /** The counts to send with the next statement. */
  readonly #changed = new Set<Count>();
  readonly #timer: NodeJS.Timeout;
  #window_s = 0;
  #used_ms = -Infinity;
  #sent_ms = -Infinity;
  #joined_ms = -Infinity;
  #processes = 1;
  #isCutOff = false;
  #sending = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(deps: RateLimitDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => {
      if (deps.clock.now_ms() - this.#used_ms < WINDOW_s * 1000) void this.synchronize();
    }, EVERY_ms).unref();
  }

  countOf(tenantId: string, id: string): Count {
    this.#used_ms = this.#deps.clock.now_ms();
    const window_s = Math.floor(this.#used_ms / 1000 / WINDOW_s) * WINDOW_s;
    if (window_s !== this.#window_s) this.#counts.clear();
    this.#window_s = window_s;
    const key = `${tenantId} ${id}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const none = { total: 0, sending: 0, unsent: 0, own: 0, waiting: [] };
    const count = { tenantId, id, window_s, ...none };
    this.#counts.set(key, count);
    return count;
  }

  add(count: Count, requests: number): void {
    count.unsent += requests;
    count.own += requests;
    this.#changed.add(count);
  }

  /** Returns the number of requests that this process may admit before the database knows about them. */
  shareOf(limit: number): number {
    if (this.#isCutOff) return Infinity;
    const now_ms = this.#deps.clock.now_ms();
    const hasShare = now_ms - this.#sent_ms <= FRESH_ms && now_ms - this.#joined_ms >= JOINING_ms;
    return hasShare ? Math.floor((limit * OVERSHOOT) / this.#processes) : 0;
  }

  /** Runs one statement at a time. Calls made while a statement is running share the next one. */
  synchronize(): Promise<void> {
    this.#next ??= this.#sending = this.#sending.then(() => {
      this.#next = undefined;
      return this.#send();
    });
    return this.#next;
  }

  async close(): Promise<void> {
    const { sql, note } = this.#deps;
    clearInterval(this.#timer);
    if (this.#used_ms < 0 || this.#isCutOff) return;
    await this.synchronize();
    if (!this.#isCutOff) await pTimeout(leaveCounting(sql, this.#processId), TIMEOUT).catch(note);
  }

  async #send(): Promise<void> {
    const parts = this.#takeChanged();
    const start_ms = this.#deps.clock.now_ms();
    const result = await this.#store(parts);
    this.#isCutOff = result === undefined;
    if (result === undefined) this.#admitWaiting();
    else this.#noteSent(start_ms, result.processes);
    for (const { count, waiting } of parts) {
      // Without a result, it is unknown whether the requests were stored. They are not sent again but remain in `own`.
      count.sending = 0;
      count.total = result?.totals.get(keyOf(count)) ?? count.total;
      waiting.forEach(({ limit, decide }, at) => {
        const isAdmitted = this.#isCutOff || count.total - waiting.length + at < limit;
        if (!isAdmitted) this.add(count, -1);
        decide(isAdmitted);
      });
    }
  }

  #takeChanged(): readonly Part[] {
    const parts = [...this.#changed].map((count) => {
      const { unsent: requests, waiting } = count;
      count.sending = requests;
      count.unsent = 0;
      count.waiting = [];
      return { count, requests, waiting };
    });
    this.#changed.clear();
    return parts;
  }

  /** Returns undefined if the database does not respond. */
  async #store(parts: readonly Part[]): Promise<Totals | undefined> {
    const { sql, note } = this.#deps;
    try {
      return await pTimeout(addCounts(sql, this.#processId, parts), TIMEOUT);
    } catch (error) {
      if (!this.#isCutOff) note(error);
      return undefined;
    }
  }

  #noteSent(start_ms: number, processes: number): void {
    if (start_ms - this.#sent_ms > FRESH_ms) this.#joined_ms = this.#deps.clock.now_ms();
    this.#sent_ms = start_ms;
    this.#processes = processes;
  }

  /**
   * Called when the database does not respond. Admits the waiting requests, so that they do not have to wait for
   * another statement.
   */
  #admitWaiting(): void {
    for (const { waiting } of this.#changed) {
      for (const { decide } of waiting.splice(0)) decide(true);
    }
  }
}
