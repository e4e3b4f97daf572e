/** What a text means that somebody looks for records by: the filter that finds them. */

import { filterFields, type RecordType } from "./record-types.ts";
import { containing, escapePattern } from "../../ui/format/index.ts";

/** Whether the list can be searched at all: a type whose name is no filter cannot. */
export const canSearch = (type: RecordType): boolean => filterFields(type).includes("name");

/** Whether the search looks into addresses and numbers, too. */
export const hasPeople = (type: RecordType): boolean => filterFields(type).includes("email_list");

const DIGITS_MIN = 4;

/** What the search box means: a part of the name, of an address, of a number. */
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
