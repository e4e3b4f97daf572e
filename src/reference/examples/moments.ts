/** The dates used in the examples, and the user who acts in them. */

import { IDS } from "./ids.ts";

export const NOW = {
  now_s: Date.UTC(2026, 10, 20, 20) / 1000,
  date: "2026-11-20T20:00:00Z",
  later_s: Date.UTC(2026, 11, 24, 12) / 1000,
} as const;

export const USER = { id: IDS.user, name: "Ada Example", email: "ada@example.com" } as const;

/**
 * Placeholders for the day before and the day of the request. A replay reaches back only a limited
 * time, so with fixed dates, its example would eventually fail.
 */
export const YESTERDAY = "%YESTERDAY%";
export const TODAY = "%TODAY%";
