/** Checks that the database driver has the patch in `patches/`, which `npm ci` applies unless it skips install scripts. */

import postgres from "postgres";
import { StartError } from "../errors/index.ts";

/** Throws a StartError if the driver is not patched. Does not connect. */
export function mustHavePatchedDriver(driver: typeof postgres = postgres): void {
  if ("connections" in driver({ max: 1 })) return;
  throw new StartError(
    "The database driver is not patched, because install scripts were skipped. Run `npm rebuild`.",
  );
}
