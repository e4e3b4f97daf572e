/** Times in the demo year: office hours, and the number of leads per day. */

import type { Dice } from "../invent/index.ts";

export const HOUR_s = 3600;
export const DAY_s = 86_400;
export const YEAR_days = 365;
/** The time zone of the demo business. */
export const TIMEZONE = "America/New_York";

/** The business's office hours in UTC. */
const [OPENS_h, CLOSES_h] = [13, 22];

/** Relative number of leads by month, starting with January. Interest in solar power is highest in spring. */
const SEASON = [0.8, 0.9, 1.15, 1.3, 1.3, 1.15, 0.95, 0.9, 1.05, 1, 0.85, 0.65];
/** Relative number of leads by weekday, starting with Sunday. */
const WEEK = [0.3, 1.15, 1.2, 1.15, 1.1, 1, 0.4];
/** Relative number of leads at the start and at the end of the year. */
const GROWTH = [0.6, 1.4] as const;

/** 0 is Sunday. January 1, 1970 was a Thursday. */
const weekdayOf = (at_s: number): number => (Math.floor(at_s / DAY_s) + 4) % 7;

const isWorkday = (moment_s: number): boolean => weekdayOf(moment_s) % 6 !== 0;

/** Returns a time in office hours: the given time, or a time in the first two hours of the next working day. */
export function inOfficeHours(at_s: number, dice: Dice): number {
  const hour = (at_s % DAY_s) / HOUR_s;
  if (isWorkday(at_s) && hour >= OPENS_h && hour < CLOSES_h) return Math.floor(at_s);
  let day_s = at_s - (at_s % DAY_s);
  if (hour >= CLOSES_h) day_s += DAY_s;
  while (!isWorkday(day_s)) day_s += DAY_s;
  return Math.floor(day_s + (OPENS_h + dice.between(0, 2)) * HOUR_s);
}

/** Returns a function that draws lead arrival times before `now_s`, with growth, seasons and more leads on workdays. */
export function createArrivals(now_s: number, dice: Dice): () => number {
  const start_s = now_s - YEAR_days * DAY_s;
  const days = Array.from({ length: YEAR_days }, (_, day) => {
    const at_s = start_s + day * DAY_s;
    const growth = GROWTH[0] + ((GROWTH[1] - GROWTH[0]) * day) / YEAR_days;
    const season = SEASON[new Date(at_s * 1000).getUTCMonth()] ?? 1;
    return [at_s, growth * season * (WEEK[weekdayOf(at_s)] ?? 1)] as const;
  });
  return () => {
    // Some leads arrive in the evening and at night through the website.
    const hour = dice.happens(0.8)
      ? dice.between(OPENS_h, CLOSES_h)
      : dice.between(CLOSES_h, 24 + OPENS_h);
    const day_s = dice.weighted(days);
    const at_s = Math.floor(day_s - (day_s % DAY_s) + hour * HOUR_s);
    if (at_s < start_s) return at_s + DAY_s;
    return at_s < now_s ? at_s : at_s - 7 * DAY_s;
  };
}

/** Returns when the working day ends in the business's time zone. `days` counts from today: -1 is yesterday. */
export function endOfWorkday(now_s: number, days: number): number {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: TIMEZONE }).format(now_s * 1000);
  return Date.parse(today) / 1000 + (CLOSES_h - 1) * HOUR_s + days * DAY_s;
}
