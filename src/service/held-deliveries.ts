/** Holds back webhook requests after a restore from a backup, until the operator releases them. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { heldSince } from "../backup/index.ts";
import type { Db } from "../platform/database/index.ts";

const CHECK_EVERY_ms = 2_000;

interface Waiting {
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, "warn" | "info">;
}

/**
 * Calls `start` once webhook requests are no longer held back. The returned `stop` also stops what `start` has started.
 */
export function startUnlessHeld(
  sql: Db,
  { signal, log }: Waiting,
  start: () => () => Promise<void>,
): { stop(): Promise<void> } {
  const waitAndStart = async () => {
    for (let isReported = false; !signal.aborted;) {
      const held = await isHeld(sql);
      if (held === false) {
        if (isReported) log.info("Webhook requests are being sent again");
        return start();
      }
      if (held === true && !isReported) {
        log.warn(
          "No webhook requests have been sent since the restore; to send them, run leadport restore --release-deliveries",
        );
        isReported = true;
      }
      await sleep(CHECK_EVERY_ms, undefined, { signal }).catch(() => {});
    }
    return undefined;
  };
  const started = waitAndStart();
  return { stop: async () => (await started)?.() };
}

/** Returns whether requests are held back; undefined if the database does not respond. */
const isHeld = async (sql: Db): Promise<boolean | undefined> => {
  try {
    return (await heldSince(sql)) !== undefined;
  } catch {
    return undefined;
  }
};
