/** Waits for another process, worker or connection. This is the only place where tests poll. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long to wait. A passing test never waits this long, so the time can be long enough for a busy machine. `npm run
 * test:mutation`, in which tests are expected to fail, sets a shorter time.
 */
export const WITHIN_ms = Number(process.env["TEST_PATIENCE_S"] ?? 60) * 1000;
const PAUSE_ms = 10;
const SHOWN_MAX = 2000;

export interface Patience {
  readonly within_ms?: number;
  /** Returns information that helps explain a timeout, such as a service's log. */
  readonly hint?: () => string;
}

/**
 * Calls `read` repeatedly until `isWanted` accepts the result, and returns that result. Without `isWanted`, any truthy
 * value is accepted. On timeout, fails with the expectation and the last result.
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isWanted: (seen: T) => unknown = Boolean,
  patience: number | Patience = {},
): Promise<T> {
  const { within_ms = WITHIN_ms, hint = () => "" } =
    typeof patience === "number" ? { within_ms: patience } : patience;
  for (const end_ms = performance.now() + within_ms; ; await sleep(PAUSE_ms)) {
    const seen = await read();
    if (await isWanted(seen)) return seen;
    if (performance.now() < end_ms) continue;
    const wanted = isWanted === Boolean ? read : isWanted;
    assert.fail(
      [
        `Not within ${within_ms / 1000} s: ${sourceOf(wanted)}`,
        `Last read: ${shown(seen)}`,
        hint().slice(-SHOWN_MAX),
      ]
        .join("\n")
        .trimEnd(),
    );
  }
}

const sourceOf = (condition: (seen: never) => unknown): string =>
  String(condition).replaceAll(/\s+/g, " ").slice(0, SHOWN_MAX);

const shown = (seen: unknown): string =>
  typeof seen === "string"
    ? seen.slice(-SHOWN_MAX)
    : (JSON.stringify(seen)?.slice(0, SHOWN_MAX) ?? String(seen));
