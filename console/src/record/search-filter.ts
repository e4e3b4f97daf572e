/** Builds the filter for the search box above a list. */

import { type RecordType } from "./definitions.ts";
import { filterFields } from "./record-types.ts";
import { containing, escapePattern } from "../ui/format/index.ts";

/** Whether a type's list can be searched, which requires that it can be filtered by name. */
export const canSearch = (type: RecordType): boolean => filterFields(type).includes("name");

/** Whether the search includes email addresses and phone numbers. */
export const hasPeople = (type: RecordType): boolean => filterFields(type).includes("email_list");

const DIGITS_MIN = 4;

/** Returns the filter for a search by part of the name, by email address or by phone number. */
export function searchFilter(type: RecordType, q: string): unknown {
  const text = q.trim();
  const contains = containing(text);
  if (!hasPeople(type)) return { name: contains };
  if (text.includes("@")) return { email_list: { $regex: escapePattern(text) } };
  const digits = text.replaceAll(/\D/g, "");
  const looksLikeNumber = digits.length >= DIGITS_MIN && /^[\d\s()+./-]+$/.test(text);
  if (!looksLikeNumber) return { name: contains };
  return { $or: [{ name: contains }, { phone_list: text }, { phone_list: { $regex: digits } }] };
}
