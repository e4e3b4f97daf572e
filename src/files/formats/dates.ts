/** Reads the dates and times in a file. Times without a time zone are in UTC. */

export const DATE_ORDERS = ["dmy", "mdy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The order of day and month for each date separator, because one file may contain several formats. */
export type DateOrders = Readonly<Record<"/" | "-" | ".", DateOrder>>;

export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const NUMERIC = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[\sT,])/;
const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=$|[\sT,])/;
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;
const NAMED_FIRST =
  /^(?:\p{L}{3,9},? )?(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?=$|[\s,])/u;
/** A two-digit year is allowed only with hyphens, as in dates that Excel writes: 5-Apr-25. */
const DAY_FIRST =
  /^(?:\p{L}{3,9},? )?(\d{1,2})(?:\.|st|nd|rd|th)?(?:[ -](\p{L}{3,9})\.?,?[ -](\d{4})|-(\p{L}{3,9})-(\d{2}))(?=$|[\s,])/u;
/** Time zones may lack minutes, because PostgreSQL writes +00. */
const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)? ?([ap]\.?m\.?)? ?(z|utc|gmt|[-+]\d{2}(?::?\d{2})?)?$/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Numbers at or above this value are in milliseconds. */
const MILLISECONDS_FROM = 1e11;

/** The default orders for ambiguous dates. */
export const DEFAULT_ORDERS: DateOrders = { "/": "mdy", "-": "dmy", ".": "dmy" };

/**
 * Returns the order of day and month that a cell shows, or undefined if it is not a date or both orders give the same
 * date.
 */
export function orderOf(
  cell: string,
): { readonly separator: keyof DateOrders; readonly order: DateOrder | "either" } | undefined {
  const found = NUMERIC.exec(cell.trim());
  if (found === null || found[1] === found[3]) return undefined;
  const separator = found[2] as keyof DateOrders;
  const first = Number(found[1]);
  const second = Number(found[3]);
  if (first === second || (first > 12 && second > 12)) return undefined;
  return { separator, order: first > 12 ? "dmy" : second > 12 ? "mdy" : "either" };
}

/**
 * Matches Excel serial dates from 1954-10-03 to 2119-01-10: the days since 1899-12-30, with the time of day as a
 * fraction.
 */
const SERIAL = /^(?:[2-7]\d{4}|80000)(?:\.\d+)?$/;
const SERIAL_OF_1970 = 25_569;

/** Whether a cell can be an Excel serial date. */
export const isSerialDate = (cell: string): boolean => SERIAL.test(cell.trim());

/** Converts an Excel serial date to ISO 8601. Other strings are returned unchanged. */
export function readSerial(cell: string): string {
  const text = cell.trim();
  if (!SERIAL.test(text)) return cell;
  const seconds = Math.round((Number(text) - SERIAL_OF_1970) * 86_400);
  return new Date(seconds * 1000).toISOString();
}

/** Returns the day in a cell, or undefined if the cell contains no valid date. */
export function readDay(cell: string, orders: DateOrders): Day | undefined {
  return splitDate(cell.trim(), orders)?.day;
}

/**
 * Returns the time in a cell, in epoch seconds, or undefined if there is none. Plain numbers are epoch seconds, or
 * milliseconds if they are at least 1e11. Eight digits that form a date are read as that date.
 */
export function readMoment(cell: string, orders: DateOrders): number | undefined {
  const text = cell.trim();
  const split = splitDate(text, orders);
  if (split === undefined) return epochOf(text);
  const { day, rest } = split;
  const seconds = rest === "" ? 0 : readTime(rest);
  if (seconds === undefined) return undefined;
  const moment = Date.UTC(day.year, day.month - 1, day.day) / 1000 + seconds;
  // The API takes later dates, such as the placeholder 9999-12-31, for milliseconds and rejects them.
  return moment < MILLISECONDS_FROM ? moment : undefined;
}

function epochOf(text: string): number | undefined {
  if (!/^-?\d{7,14}(?:\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) >= MILLISECONDS_FROM ? value / 1000 : value;
}

/** Splits a string into the day at its start and the rest, which may be a time or empty. */
function splitDate(text: string, orders: DateOrders) {
  const found = namedParts(text) ?? isoParts(text) ?? numericParts(text, orders);
  if (found === undefined || !exists(found.day)) return undefined;
  return { day: found.day, rest: text.slice(found.length).replace(/^[\sT,]+/, "") };
}

interface Parts {
  readonly day: Day;
  readonly length: number;
}

function isoParts(text: string): Parts | undefined {
  const found = ISO.exec(text);
  if (found !== null) return partsOf(found[0], found[1], found[3], found[4]);
  const compact = COMPACT.exec(text);
  return compact === null ? undefined : partsOf(compact[0], compact[1], compact[2], compact[3]);
}

function numericParts(text: string, orders: DateOrders): Parts | undefined {
  const found = NUMERIC.exec(text);
  if (found === null) return undefined;
  const order = orders[found[2] as keyof DateOrders];
  const year = found[4]?.length === 2 ? fullYear(Number(found[4])) : found[4];
  const [month, day] = order === "mdy" ? [found[1], found[3]] : [found[3], found[1]];
  // A month above twelve contradicts the column's order, so `exists` rejects the date.
  return partsOf(found[0], year, month, day);
}

const fullYear = (short: number) => (short < 70 ? 2000 + short : 1900 + short);

function namedParts(text: string): Parts | undefined {
  const first = NAMED_FIRST.exec(text);
  if (first !== null) return partsOf(first[0], first[3], monthOf(first[1]), first[2]);
  const [matched, day, month, year, shortMonth, shortYear] = DAY_FIRST.exec(text) ?? [];
  if (matched === undefined) return undefined;
  return year === undefined
    ? partsOf(matched, fullYear(Number(shortYear)), monthOf(shortMonth), day)
    : partsOf(matched, year, monthOf(month), day);
}

const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

type Part = string | number | undefined;

const partsOf = (matched: string, year: Part, month: Part, day: Part): Parts => ({
  day: { year: Number(year), month: Number(month), day: Number(day) },
  length: matched.length,
});

/** Whether a day exists. Placeholders such as 0001-01-01 do not: Date.UTC adds 1900 to years before 100. */
function exists({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Returns the seconds since midnight UTC, or undefined if the string is not a time. */
function readTime(text: string): number | undefined {
  const found = TIME.exec(text);
  if (found === null) return undefined;
  const [, hour, minute, second = "0", half, zone = "z"] = found;
  const hours = half === undefined ? Number(hour) : hourOf(Number(hour), half);
  if (hours > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  return hours * 3600 + Number(minute) * 60 + Number(second) - offsetOf(zone);
}

const hourOf = (hour: number, half: string) => (hour % 12) + (/^p/i.test(half) ? 12 : 0);

function offsetOf(zone: string): number {
  const found = /^([-+])(\d{2}):?(\d{2})?$/.exec(zone);
  if (found === null) return 0;
  const seconds = Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60;
  return found[1] === "-" ? -seconds : seconds;
}
