/**
 * Which positions are settled: nobody can still commit a change at or below them. And which moment
 * is: nobody can still commit a record with a stamp before it. Both hold for a snapshot that is taken
 * after the answer. Why, in four steps:
 *
 * 1. A writer gets its xid before it draws a position or reads the clock for a stamp (migration 009,
 *    `NOW` of records/write/statements.ts).
 * 2. A sample reads the last position drawn and the clock, and in a later statement gets an xid X
 *    itself. Xids only grow: whoever drew at or below that position, or stamped before that moment,
 *    has an xid below X.
 * 3. A snapshot whose xmin is above X says that all of them have ended, and every later one sees what
 *    they committed. A long transaction keeps xmin down: that delays, and loses nothing.
 * 4. The sample's commit waits until its log is on disk, and with it every position drawn before it:
 *    after a crash of the database none is drawn a second time.
 *
 * It is the clock of the database, which is taken to be slewed and not set back.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "./tx.ts";
import { run } from "./statement.ts";

/** What a moment is settled up to, and what was drawn by then. */
export interface Settled extends Moment {
  /** The highest position drawn when the look began: no higher one was settled before it. */
  readonly drawn: number;
}

interface Moment {
  /** The highest settled position; 0 while none is known. */
  readonly seq: number;
  /** The settled moment in whole epoch seconds; 0 while none is known. */
  readonly at_s: number;
}

export type Horizon = ReturnType<typeof createHorizon>;

/** What was read at one moment, and the xid that everyone concerned is below. */
interface Sample extends Moment {
  readonly xid: number;
}

const UNKNOWN: Moment = { seq: 0, at_s: 0 };

/** How long a look waits for the transactions of its moment. Who comes while one is under way waits for two. */
const PATIENCE_ms = 25;
/** Samples that wait for a long transaction; of more every second one is given up. */
const WAITING_MAX = 64;

export function createHorizon(sql: Db) {
  let newest = UNKNOWN;
  let drawn = 0;
  let waiting: readonly Sample[] = [];
  /** When the newest look began that has answered. */
  let answered_ms = -Infinity;
  let looking: Promise<void> | undefined;

  const settle = (oldestRunning: number): void => {
    newest = waiting.findLast(({ xid }) => xid < oldestRunning) ?? newest;
    waiting = waiting.filter(({ xid }) => xid >= oldestRunning);
  };
  const look = async (): Promise<void> => {
    const begun_ms = performance.now();
    const sample = await takeSample(sql);
    // The database was restored under a running process: nothing is known of this history yet.
    if (sample.seq < drawn) [newest, waiting] = [UNKNOWN, []];
    drawn = sample.seq;
    const kept = waiting.length < WAITING_MAX ? waiting : waiting.filter((_, at) => at % 2 === 1);
    waiting = [...kept, sample];
    for (let pause_ms = 1; ; pause_ms *= 2) {
      settle(await readOldestRunning(sql));
      const over_ms = performance.now() + pause_ms - begun_ms;
      if (waiting.length === 0 || over_ms > PATIENCE_ms) break;
      await delay(pause_ms);
    }
    answered_ms = begun_ms;
  };
  return {
    /**
     * What is settled, by a look that began at most `maxAge_ms` ago. It waits some milliseconds for
     * short transactions, and never for long ones.
     */
    settled: async ({ maxAge_ms }: { readonly maxAge_ms: number }): Promise<Settled> => {
      const since_ms = performance.now() - maxAge_ms;
      // One look at a time; one that began too early to answer this is waited for, then another taken.
      while (answered_ms < since_ms) {
        looking ??= look().finally(() => (looking = undefined));
        await looking;
      }
      return { seq: newest.seq, at_s: newest.at_s, drawn };
    },
  };
}

/** Statement by statement: the xid is taken when position and clock are read. */
async function takeSample(db: Db): Promise<Sample> {
  const [read] = await run(db)`
    select case when is_called then last_value else 0 end as seq,
           floor(extract(epoch from clock_timestamp()))::bigint as at_s
      from change_positions`;
  // The message makes this a transaction that has written, whose commit waits for the disk.
  const [own] = await run(db)`
    select pg_current_xact_id()::text::bigint as xid, pg_logical_emit_message(true, 'leadport', '')`;
  return { seq: Number(read?.["seq"]), at_s: Number(read?.["at_s"]), xid: Number(own?.["xid"]) };
}

async function readOldestRunning(db: Db): Promise<number> {
  const [row] = await run(db)`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin`;
  return Number(row?.["xmin"]);
}
