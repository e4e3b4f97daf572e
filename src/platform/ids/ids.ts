/**
 * Ids with the layout of a MongoDB ObjectId: 4 bytes of Unix seconds, then 20 bits of microseconds, a 12-bit
 * counter, and 32 random bits. Sorting by id sorts by creation time. The order is exact within a process; across
 * processes, it is as accurate as their clocks.
 */

import { randomFillSync } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { AppError } from "../errors/index.ts";

/** Matches an id within a regular expression. */
export const ID_PATTERN = "[0-9a-f]{24}";
const ID = new RegExp(`^${ID_PATTERN}$`);
const COUNTER_MAX = 0xfff;
/** The random bytes for 1,024 ids are generated at once, because each call of the generator takes at least 1 µs. */
const POOL_bytes = 4 * 1024;

export type MakeId = () => string;

export const isId = (text: string): boolean => ID.test(text);

/** The last second that an id can represent, in February 2106. */
const LAST_s = 0xffff_ffff;

/** Returns the lowest id of a second. Seconds that no id can represent are clamped to the first or last second. */
export const firstIdAt = (epoch_s: number): string =>
  hex(Math.min(Math.max(0, epoch_s), LAST_s), 8).padEnd(24, "0");

/**
 * Returns an id from the path parameters. Throws `not_found` if it is not a valid id, because no record can have an
 * invalid id.
 */
export function idIn(path: Readonly<Record<string, unknown>>, name: string): string {
  const id = String(path[name]);
  if (!isId(id)) throw new AppError("not_found");
  return id;
}

/** Creates a generator of ids, each greater than the previous one. */
export function idSource(clock: Clock): MakeId {
  let last_us = 0;
  let counter = 0;
  // Each generator needs its own pool. Two generators with the same pool would use the same bytes.
  const pool = Buffer.alloc(POOL_bytes);
  let drawn = pool.length;
  return () => {
    const now_us = Math.floor(clock.now_ms() * 1000);
    if (now_us > last_us) {
      last_us = now_us;
      counter = 0;
    } else if (counter < COUNTER_MAX) {
      counter += 1;
    } else {
      last_us += 1;
      counter = 0;
    }
    if (drawn === pool.length) {
      randomFillSync(pool);
      drawn = 0;
    }
    const random = pool.toString("hex", drawn, drawn + 4);
    drawn += 4;
    const seconds = Math.floor(last_us / 1_000_000);
    const micros = last_us % 1_000_000;
    return hex(seconds, 8) + hex(micros, 5) + hex(counter, 3) + random;
  };
}

const hex = (value: number, width: number): string => value.toString(16).padStart(width, "0");
