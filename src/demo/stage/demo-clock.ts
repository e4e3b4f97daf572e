/** The clock of the demo year. Its time changes only when it is set, both in this process and in the database. */

import type { Clock } from "../../platform/clock/index.ts";
import { run, type Db, type Tx } from "../../platform/database/index.ts";

export interface DemoClock extends Clock {
  /**
   * Sets the time (epoch seconds) on a connection opened by `openDemoDb` or in its transaction. All later timestamps
   * have this time.
   */
  readonly set: (at_s: number, on: Db | Tx) => Promise<void>;
  /** Advances the time in this process only, and not in the database. */
  readonly move: (by_ms: number) => void;
}

export function createDemoClock(): DemoClock {
  let now_ms = 0;
  return {
    now_ms: () => now_ms,
    set: async (at_s, on) => {
      now_ms = at_s * 1000;
      await run(on)`select set_config('leadport.demo_now', ${String(at_s)}, false)`;
    },
    move: (by_ms) => void (now_ms += by_ms),
  };
}

/**
 * Opens a single connection on which `clock_timestamp()` in statements is the time of the demo clock, so that the writes
 * of other modules need no second form. Its commits are asynchronous, so a database crash can lose the latest commits.
 * The tenant must then be filled again.
 */
export const openDemoDb = (sql: Db): Db =>
  sql.separate({
    settings: { synchronous_commit: "off" },
    rewrite: (text) => text.replaceAll("clock_timestamp()", DEMO_NOW),
  });

const DEMO_NOW = "to_timestamp(current_setting('leadport.demo_now')::float8)";
