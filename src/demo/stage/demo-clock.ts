/** The clock of the demo year: it stands still until it is set, for this program and in the database. */

import type { Clock } from "../../platform/clock/index.ts";
import { aside, type Db, run, type Tx } from "../../platform/database/index.ts";

export interface DemoClock extends Clock {
  /**
   * Sets the time, in epoch seconds, on a connection of `openDemoDb` or inside its transaction. All that it
   * stamps from then on gets this time.
   */
  readonly set: (at_s: number, on: Db | Tx) => Promise<void>;
  /** Moves the time of this program alone. */
  readonly move: (by_ms: number) => void;
}

export function createDemoClock(): DemoClock {
  let now_ms = 0;
  return {
    now_ms: () => now_ms,
    set: async (at_s, on) => {
      now_ms = at_s * 1000;
      // Sent at once, so that what follows in the same turn of the event loop is sent together with it.
      await run(on)`select set_config('leadport.demo_now', ${String(at_s)}, false)`.execute();
    },
    move: (by_ms) => void (now_ms += by_ms),
  };
}

/**
 * A single connection whose `clock_timestamp()` is the demo clock (migration 029). A crash of the database can
 * lose its last commits, which costs no more than to fill the tenant again.
 */
export async function openDemoDb(sql: Db): Promise<Db> {
  const [row] = await run<{ search_path: string }[]>(sql)`show search_path`;
  const search_path = ["demo_time", "pg_catalog", row?.search_path].join(", ");
  return aside(sql, { search_path, synchronous_commit: "off" });
}
