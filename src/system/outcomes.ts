/**
 * Counts failed and slow requests by tenant, credential and operation. Requests only increment counters in memory.
 * Every few seconds, the counts are stored with one statement. While the disk is full, the counts stay in memory. If
 * storing fails, the counts are lost, but no request waits or fails because of it.
 */

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "../platform/clock/index.ts";
import type { Db } from "../platform/database/index.ts";
import type { DiskReserve } from "../platform/storage/index.ts";
import { callerStateOf } from "../platform/operations/index.ts";
import { addOutcomes, type Outcome } from "./stored-outcomes.ts";

/** Requests that take longer than this count as slow, except streams. */
const SLOW_ms = 1000;
const FLUSH_ms = 5000;
const MINUTE_s = 60;
/** Maximum number of rows per tenant and minute. Further requests are counted only by status. */
const ROWS_OF_TENANT_MAX = 200;
/**
 * Maximum number of rows per minute for all tenants together. Also limits the number of rows from earlier minutes that
 * have not been stored.
 */
const ROWS_MAX = 20_000;

export interface Outcomes {
  /** Counts a completed request if it failed or was slow. */
  readonly note: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Stores the counts since the last flush. Never throws. */
  readonly flush: () => Promise<void>;
  /** Stores the remaining counts and stops. */
  readonly close: () => Promise<void>;
}

export interface OutcomesDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly disk?: Pick<DiskReserve, "hasSpace" | "note"> | undefined;
}

type Counted = { -readonly [K in keyof Outcome]: Outcome[K] };
type Counting = Pick<Outcome, "tenantId" | "credential" | "method" | "route" | "status">;

/** The counts of this process that have not been stored, by minute. */
class Counts {
  #start_s = 0;
  /**
   * The rows of the current minute by tenant. They stay in memory after they have been stored, because they still count
   * toward the limits.
   */
  #rowsOf = new Map<string, Map<string, Counted>>();
  #rows = 0;
  /** The rows of past minutes that have not been stored yet. */
  #earlier: readonly Outcome[] = [];

  /** Returns the row of an outcome in the minute of a moment. */
  rowAt(now_s: number, outcome: Counting): Counted {
    const start_s = now_s - (now_s % MINUTE_s);
    if (start_s !== this.#start_s) {
      this.#earlier = this.take().slice(-ROWS_MAX);
      this.#start_s = start_s;
      this.#rowsOf = new Map();
      this.#rows = 0;
    }
    return this.#rowFor(outcome);
  }

  #rowFor(outcome: Counting): Counted {
    const { tenantId, credential, method, route, status } = outcome;
    const rows = this.#rowsOf.get(tenantId) ?? new Map<string, Counted>();
    this.#rowsOf.set(tenantId, rows);
    const key = `${credential} ${method} ${route} ${status}`;
    const found = rows.get(key);
    if (found !== undefined) return found;
    const isFull = rows.size >= ROWS_OF_TENANT_MAX || this.#rows >= ROWS_MAX;
    if (isFull && credential !== "") {
      return this.#rowFor({ ...outcome, credential: "", method: "", route: "" });
    }
    const row = { ...outcome, minute_s: this.#start_s, ...NONE };
    rows.set(key, row);
    this.#rows += 1;
    return row;
  }

  /** Returns the counts, and starts again with zero. */
  take(): readonly Outcome[] {
    const taken = [...this.#earlier];
    this.#earlier = [];
    for (const rows of this.#rowsOf.values()) {
      for (const row of rows.values()) {
        if (row.requests === 0) continue;
        taken.push({ ...row });
        Object.assign(row, NONE);
      }
    }
    return taken;
  }
}

export function createOutcomes({ sql, clock, log, disk }: OutcomesDeps): Outcomes {
  const counts = new Counts();
  const store = async (): Promise<void> => {
    // Keep the counts in memory until there is space on the disk.
    if (disk?.hasSpace() === false) return;
    const outcomes = counts.take();
    if (outcomes.length === 0) return;
    try {
      await addOutcomes(sql, outcomes);
    } catch (error) {
      disk?.note(error);
      log.warn({ err: error }, "Storing failed and slow requests failed");
    }
  };
  let storing: Promise<void> | undefined;
  const flush = (): Promise<void> =>
    (storing ??= store().finally(() => {
      storing = undefined;
    }));
  const timer = setInterval(() => void flush(), FLUSH_ms).unref();

  return {
    note: (request, reply) => {
      const { statusCode: status, elapsedTime: took_ms } = reply;
      const isFailed = status >= 400;
      if (!isFailed && took_ms <= SLOW_ms) return;
      const { identity, holder, isStreamed = false } = callerStateOf(request) ?? {};
      const isSlow = took_ms > SLOW_ms && !isStreamed;
      if (identity === undefined || holder === undefined || (!isFailed && !isSlow)) return;
      const last_ts = Math.floor(clock.now_ms() / 1000);
      const { method, routeOptions } = request;
      const { url: route = "" } = routeOptions;
      const counting = { tenantId: identity.tenant, credential: holder, method, route, status };
      const row = counts.rowAt(last_ts, counting);
      row.requests += 1;
      row.slow += isSlow ? 1 : 0;
      row.total_ms += isStreamed ? 0 : took_ms;
      row.slowest_ms = Math.max(row.slowest_ms, isStreamed ? 0 : took_ms);
      row.last_ts = last_ts;
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await storing;
      await flush();
    },
  };
}

const NONE = { requests: 0, slow: 0, total_ms: 0, slowest_ms: 0, last_ts: 0 };
