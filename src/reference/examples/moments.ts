/** When the examples happen, and who acts in them. */

import { IDS } from "./ids.ts";

export const NOW = {
  now_s: Date.UTC(2026, 10, 20, 20) / 1000,
  date: "2026-11-20T20:00:00Z",
  later_s: Date.UTC(2026, 11, 24, 12) / 1000,
} as const;

export const USER = { id: IDS.user, name: "Ada Example", email: "ada@example.com" } as const;

/**
 * Stand for what depends on the request for the document: the day before, the day itself. A replay goes
 * back a limited time, so that a fixed day would make its example fail later.
 */
export const YESTERDAY = "%YESTERDAY%";
export const TODAY = "%TODAY%";
