/**
 * Determines the settled position and the settled time. No change at or below the settled position, and no record with
 * a timestamp before the settled time, can still be committed. Both hold for snapshots that are taken after the result
 * has been returned. Why this is correct:
 *
 * 1. A writer gets its xid before it draws a position or reads the clock for a timestamp (migration 009,
 *    `NOW` in records/store/statement-values.ts).
 * 2. A sample reads the last position drawn and the clock, and then gets an xid X in a later statement. Xids only
 *    increase, so every writer that drew a position at or below the sampled one, or read the clock before the sampled
 *    time, has an xid below X.
 * 3. When all transactions of this database that a snapshot shows as running have xids above X, all of these writers have
 *    ended, and every later snapshot sees what they committed. A long transaction delays the result but loses nothing.
 *    Transactions of the server's other databases are ignored, because they cannot write to this database.
 * 4. The sample's commit waits until its WAL is on disk, along with every position drawn before it. Therefore, no
 *    position is drawn again after a database crash.
 *
 * The clock is the database's clock. We assume that it is slewed and never set back.
 */

import { setTimeout as delay } from "node:timers/promises";
import { type Db, run } from "../platform/database/index.ts";

/** The settled position and time, and the highest position drawn. */
export interface Settled extends Moment {
  /**
   * The highest position that had been drawn when the check started. Higher positions were not settled at that time.
   */
  readonly drawn: number;
}

interface Moment {
  /** The highest settled position. 0 while unknown. */
  readonly seq: number;
  /** The settled time in whole epoch seconds. 0 while unknown. */
  readonly at_s: number;
}

export type Horizon = ReturnType<typeof createHorizon>;

/** The position and the clock at one point in time. The xids of all earlier writers are below `xid`. */
interface Sample extends Moment {
  readonly xid: number;
}

const UNKNOWN: Moment = { seq: 0, at_s: 0 };

/**
 * How long a check waits for running transactions. A caller that arrives during a check may have to wait for two
 * checks.
 */
const PATIENCE_ms = 25;
/** Maximum number of samples that wait for a long transaction. At the limit, every second one is dropped. */
const WAITING_MAX = 64;
const PAUSE_ms = 100;

export function createHorizon(sql: Db) {
  let newest = UNKNOWN;
  let drawn = 0;
  let waiting: readonly Sample[] = [];
  /** The start time of the latest completed check. */
  let checked_ms = -Infinity;
  let checking: Promise<void> | undefined;

  const settle = (oldestRunning: number): void => {
    newest = waiting.findLast(({ xid }) => xid < oldestRunning) ?? newest;
    waiting = waiting.filter(({ xid }) => xid >= oldestRunning);
  };
  const check = async (): Promise<void> => {
    const start_ms = performance.now();
    const sample = await takeSample(sql);
    // The database was restored while this process was running, so nothing is known yet about its
    // history.
    if (sample.seq < drawn) {
      newest = UNKNOWN;
      waiting = [];
    }
    drawn = sample.seq;
    const remaining =
      waiting.length < WAITING_MAX ? waiting : waiting.filter((_, at) => at % 2 === 1);
    waiting = [...remaining, sample];
    for (let pause_ms = 1; ; pause_ms *= 2) {
      settle(await readOldestRunning(sql));
      const over_ms = performance.now() + pause_ms - start_ms;
      if (waiting.length === 0 || over_ms > PATIENCE_ms) break;
      await delay(pause_ms);
    }
    checked_ms = start_ms;
  };
  const settled = async ({ maxAge_ms }: { readonly maxAge_ms: number }): Promise<Settled> => {
    const since_ms = performance.now() - maxAge_ms;
    // Only one check runs at a time. If the running check started too early, another check follows it.
    while (checked_ms < since_ms) {
      checking ??= check().finally(() => (checking = undefined));
      await checking;
    }
    return { seq: newest.seq, at_s: newest.at_s, drawn };
  };
  return {
    /**
     * Returns the result of a check that started at most `maxAge_ms` ago. Waits a few milliseconds for short
     * transactions, but never for long ones. While a long transaction is running, the settled position can be old.
     */
    settled,
    /**
     * Waits until all positions that had been drawn before the call are settled, and returns the settled position.
     * Returns undefined if a transaction prevents this for `within_ms`.
     */
    caughtUp: async ({
      within_ms,
    }: {
      readonly within_ms: number;
    }): Promise<number | undefined> => {
      const until_ms = performance.now() + within_ms;
      let { seq, drawn: target } = await settled({ maxAge_ms: 0 });
      while (seq < target && performance.now() < until_ms) {
        await delay(PAUSE_ms);
        ({ seq } = await settled({ maxAge_ms: 0 }));
      }
      return seq < target ? undefined : seq;
    },
  };
}

/** Uses separate statements so that the xid is assigned after the position and the clock have been read. */
async function takeSample(db: Db): Promise<Sample> {
  const [read] = await run(db)`
    select case when is_called then last_value else 0 end as seq,
           floor(extract(epoch from clock_timestamp()))::bigint as at_s
      from change_positions`;
  // Writing this message makes the transaction a write transaction, so its commit waits until the WAL is on disk.
  const [own] = await run(db)`
    select pg_current_xact_id()::text::bigint as xid, pg_logical_emit_message(true, 'leadport', '')`;
  return { seq: Number(read?.["seq"]), at_s: Number(read?.["at_s"]), xid: Number(own?.["xid"]) };
}

/**
 * Returns the lowest xid of this database's running transactions, or the next xid if there are none. The snapshot is
 * taken before `pg_stat_activity` is read. A transaction that ends in between counts as running.
 */
async function readOldestRunning(db: Db): Promise<number> {
  const [row] = await run(db)`
    select least(
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
      (select min(running::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) running
        where not exists (select from pg_stat_activity
                           where backend_xid = running::xid and datname <> current_database()))) as xid`;
  return Number(row?.["xid"]);
}
