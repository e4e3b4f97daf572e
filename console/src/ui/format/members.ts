/** Members of objects that others define, such as a partner's preferences, in words. */

import { t } from "../../text/index.ts";
import { number, words } from "./format.ts";

/** The label of a member: `min_price` and `minPrice` are "Min price". */
export const memberLabel = (name: string): string =>
  words(
    name.replaceAll(
      /([a-z\d])([A-Z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    ),
  );

/** From here on digits are grouped; a shorter number may be a year. */
const GROUPED_FROM = 10_000;

/** A text, number or flag as it is read; undefined for lists, objects and nothing. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (typeof value === "boolean") return value ? t.common.yes : t.common.no;
  if (typeof value !== "number") return undefined;
  return Math.abs(value) < GROUPED_FROM ? String(value) : number(value);
}

/** Whether a value says nothing: null, an empty text, or a list or object of such values. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isNothing);
}

/** Any value in one line: "Budget: 50,000; Rooms: 3, 4". */
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

/** An object within a line is shown in parentheses. */
const within = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? `(${memberText(value)})`
    : memberText(value);
