/** Times in the demo year: the office hours, and how the leads are distributed over the days. */

import type { Dice } from "../invent/index.ts";

export const HOUR_s = 3600;
export const DAY_s = 86_400;
export const YEAR_days = 365;
/** The time zone of the demo business. */
export const TIMEZONE = "America/New_York";

/** The business's office hours in UTC. */
const OPENS_h = 13;
const CLOSES_h = 22;

/** Relative number of leads by month, starting with January. Interest in solar power is highest in spring. */
const SEASON = [0.8, 0.9, 1.15, 1.3, 1.3, 1.15, 0.95, 0.9, 1.05, 1, 0.85, 0.65];
/** Relative number of leads by weekday, starting with Sunday. */
const WEEK = [0.3, 1.15, 1.2, 1.15, 1.1, 1, 0.4];
/** The relative number of leads at the start of the year and at its end. */
const GROWTH = [0.6, 1.4] as const;

/** Returns the weekday, with 0 for Sunday. January 1, 1970 was a Thursday. */
const weekdayOf = (at_s: number): number => (Math.floor(at_s / DAY_s) + 4) % 7;

const isWorkday = (moment_s: number): boolean => weekdayOf(moment_s) % 6 !== 0;

/**
 * Returns the given time if it is in office hours. Otherwise, returns a time in the first two hours of the next working
 * day.
 */
export function inOfficeHours(at_s: number, dice: Dice): number {
  const hour = (at_s % DAY_s) / HOUR_s;
  if (isWorkday(at_s) && hour >= OPENS_h && hour < CLOSES_h) return Math.floor(at_s);
  let day_s = at_s - (at_s % DAY_s);
  if (hour >= CLOSES_h) day_s += DAY_s;
  while (!isWorkday(day_s)) day_s += DAY_s;
  return Math.floor(day_s + (OPENS_h + dice.between(0, 2)) * HOUR_s);
}

/**
 * Returns a function that draws random arrival times of leads before `now_s`. Their number grows over the year, varies
 * by season, and is higher on workdays.
 */
export function createArrivals(now_s: number, dice: Dice): () => number {
  const start_s = now_s - YEAR_days * DAY_s;
  const days = Array.from({ length: YEAR_days }, (_, day) => {
    const at_s = start_s + day * DAY_s;
    const growth = GROWTH[0] + ((GROWTH[1] - GROWTH[0]) * day) / YEAR_days;
    const season = SEASON[new Date(at_s * 1000).getUTCMonth()] ?? 1;
    return [at_s, growth * season * (WEEK[weekdayOf(at_s)] ?? 1)] as const;
  });
  return () => {
    // Some leads arrive through the website in the evening or at night.
    const hour = dice.happens(0.8)
      ? dice.between(OPENS_h, CLOSES_h)
      : dice.between(CLOSES_h, 24 + OPENS_h);
    const day_s = dice.weighted(days);
    const at_s = Math.floor(day_s - (day_s % DAY_s) + hour * HOUR_s);
    if (at_s < start_s) return at_s + DAY_s;
    return at_s < now_s ? at_s : at_s - 7 * DAY_s;
  };
}

/** Returns the end of a working day in the business's time zone. `days` counts from today, so -1 is yesterday. */
export function endOfWorkday(now_s: number, days: number): number {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: TIMEZONE }).format(now_s * 1000);
  return Date.parse(today) / 1000 + (CLOSES_h - 1) * HOUR_s + days * DAY_s;
}
