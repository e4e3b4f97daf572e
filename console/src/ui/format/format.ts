/**
 * Formats numbers, amounts and times in the user's language and time zone and in the tenant's
 * currency.
 */

import { locale, t } from "../../text/index.ts";

const DATE_TIME = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const DATE = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const NUMBER = new Intl.NumberFormat(locale);
const PERCENT = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
/** Formats a rate with the decimals that were entered, up to six. */
const RATE = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 6 });
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long" });
const RELATIVE = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
/** Uses words such as "now", "yesterday" and "tomorrow" where possible. */
const NEAR = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** Formats a timestamp in epoch seconds, in the user's time zone. */
export const dateTime = (at_s: number): string => DATE_TIME.format(at_s * 1000);

/** Like `dateTime`, with seconds and the time zone. */
export const exactTime = (at_s: number): string => EXACT.format(at_s * 1000);

/** Formats the date of a timestamp in epoch seconds, in the user's time zone. */
export const date = (at_s: number): string => DATE.format(at_s * 1000);

const DAY = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });

/** Like `date`, without the year if it is the current year. */
export const shortDate = (at_s: number): string =>
  new Date(at_s * 1000).getFullYear() === new Date().getFullYear()
    ? DAY.format(at_s * 1000)
    : date(at_s);

/** Formats a month: "Nov ’26". Without the apostrophe, the year would look like a day. */
export const month = (at: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale, { month: "short", year: "2-digit", timeZone })
    .formatToParts(at)
    .map(({ type, value }) => (type === "year" ? `’${value}` : value))
    .join("");

export const number = (value: number): string => NUMBER.format(value);

/** Formats a fraction as a rounded percentage. */
export const percent = (share: number): string => PERCENT.format(share);

/** Formats a percentage that was set, such as a commission rate, without rounding it. */
export const rate = (value_pcnt: number): string => RATE.format(value_pcnt / 100);

const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Formats an amount in a currency (ISO 4217), without decimals if they are zero. */
export function money(amount: number, currency: string): string {
  const key = `${currency} ${Number.isInteger(amount)}`;
  let format = moneyFormats.get(key);
  if (format === undefined) {
    const whole = Number.isInteger(amount) ? { maximumFractionDigits: 0 } : {};
    format = new Intl.NumberFormat(locale, { style: "currency", currency, ...whole });
    moneyFormats.set(key, format);
  }
  return format.format(amount);
}

/** Formats an amount in a few characters, for example for an axis: "$900K". */
export const shortMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    notation: "compact",
    maximumFractionDigits: 2,
    minimumFractionDigits: 0,
  }).format(amount);

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const DAY_s = 86_400;
const MONTH_days = 30.44;
const YEAR_days = 365.25;

/**
 * Formats a time relative to `now_ms`: "2 hours ago". Differences of a day or more are counted in
 * calendar days.
 */
export function relative(at_s: number, now_ms: number = Date.now()): string {
  const distance_s = at_s - now_ms / 1000;
  const size_s = Math.abs(distance_s);
  if (size_s < 60) return NEAR.format(0, "second");
  if (size_s < 3600) return RELATIVE.format(Math.trunc(distance_s / 60), "minute");
  if (size_s < DAY_s) return RELATIVE.format(Math.trunc(distance_s / 3600), "hour");
  const days = daysBetween(now_ms / 1000, at_s);
  const size = Math.abs(days);
  const past = Math.sign(days);
  if (size < 7) return NEAR.format(days, "day");
  if (size < 31) return RELATIVE.format(Math.trunc(days / 7), "week");
  if (size < 365) {
    return RELATIVE.format(
      past * Math.min(11, Math.max(1, Math.trunc(size / MONTH_days))),
      "month",
    );
  }
  return RELATIVE.format(past * Math.max(1, Math.trunc(size / YEAR_days)), "year");
}

const midnight = (at_s: number): number => new Date(at_s * 1000).setHours(0, 0, 0, 0);

/** Returns the number of midnights between two timestamps, in the user's time zone. */
function daysBetween(from_s: number, to_s: number): number {
  return Math.round((midnight(to_s) - midnight(from_s)) / 1000 / DAY_s);
}

/** Formats a duration in its largest unit: "4.5 minutes", "120 ms". */
export function duration(length_s: number): string {
  const [unit, unit_s] =
    UNITS.find(([, one_s]) => length_s >= one_s) ??
    (length_s >= 1 ? (["second", 1] as const) : (["millisecond", 0.001] as const));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    // Abbreviate units up to seconds and spell out longer units.
    unitDisplay: length_s < 60 ? "short" : "long",
    maximumFractionDigits: length_s < 1 ? 0 : 1,
  }).format(length_s / unit_s);
}

/** Returns a readable label for an option or name: `closed_won` becomes "Closed won". */
export function words(value: string): string {
  const label = t.options[value];
  if (label !== undefined) return label;
  const text = value.replaceAll(/[_-]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns options for values such as lead sources, with readable labels. */
export const wordOptions = (values: Iterable<string>) =>
  Array.from(values, (value) => ({ value, label: words(value) }));

/** Returns a value, or a dash if there is none. */
export const orNone = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === "" ? t.common.none : String(value);

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Formats a number of bytes: "4.2 MB". The base is 1024 for sizes that an operator sets. */
export function bytes(count: number, base: 1000 | 1024 = 1000): string {
  let power = 0;
  while (power < SIZES.length - 1 && count >= base ** (power + 1)) power += 1;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: SIZES[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(count / base ** power);
}
