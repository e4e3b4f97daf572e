/** Formats the members of objects that others define, such as a partner's match preferences. */

import { t } from "../../text/index.ts";
import { number, words } from "./format.ts";

/** Returns a readable label for a member: `min_price` and `minPrice` become "Min price". */
export const memberLabel = (name: string): string =>
  words(
    name.replaceAll(
      /([a-z\d])([A-Z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    ),
  );

/** The smallest number whose digits are grouped. Smaller numbers may be years. */
const GROUPED_FROM = 10_000;

/** Formats a string, number or boolean; undefined for lists, objects and null. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value === "boolean") return value ? t.common.yes : t.common.no;
  if (typeof value !== "number") return undefined;
  return Math.abs(value) < GROUPED_FROM ? String(value) : number(value);
}

/** Whether a value is empty: null, an empty string, or a list or object of empty values. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isNothing);
}

/** Formats any value on one line: "Budget: 50,000; Rooms: 3, 4". */
export function memberText(value: unknown): string {
  if (isNothing(value)) return t.common.none;
  if (Array.isArray(value)) return value.map(memberText).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .filter(([, member]) => !isNothing(member))
      .map(([name, member]) => `${memberLabel(name)}: ${within(member)}`)
      .join("; ");
  }
  return plainText(value) ?? t.common.none;
}

/** Formats a nested value. Objects are enclosed in parentheses. */
const within = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? `(${memberText(value)})`
    : memberText(value);
