/** Waiting for what another process does, without knowing how long it takes. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until it holds; fails after a while with what it last saw. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  within_ms = 15_000,
): Promise<T> {
  for (const end_ms = performance.now() + within_ms; ; await sleep(20)) {
    const seen = await look();
    if (holds(seen)) return seen;
    assert.ok(performance.now() < end_ms, `still ${JSON.stringify(seen)?.slice(0, 2000)}`);
  }
}
