/** The dates in the examples, and the user who performs the sample requests. */

import { IDS } from "./ids.ts";

export const NOW = {
  now_s: Date.UTC(2026, 10, 20, 20) / 1000,
  date: "2026-11-20T20:00:00Z",
  later_s: Date.UTC(2026, 11, 24, 12) / 1000,
} as const;

export const USER = { id: IDS.user, name: "Ada Example", email: "ada@example.com" } as const;

/**
 * Placeholders for the day of the request and the day before. A replay can start only a limited time in the past, so an
 * example with a fixed date would stop working.
 */
export const YESTERDAY = "%YESTERDAY%";
export const TODAY = "%TODAY%";
