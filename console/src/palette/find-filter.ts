/** Builds the filter that finds records of a type in the palette. */

import { hasPeople, type RecordType, searchFilter } from "../record/index.ts";

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
/**
 * Matches a phone number. The number must be long enough to include an area code, so that the service recognizes it.
 */
const NUMBER = /^\+?[\d\s()./-]+$/;
const NUMBER_DIGITS_MIN = 10;

/**
 * Returns the filter for a search; undefined if the type has no field that could match. For a complete email address or
 * phone number, only an index is searched, because no name has that form.
 */
export function findFilter(type: RecordType, text: string): unknown {
  const isAddress = ADDRESS.test(text);
  const isNumber = NUMBER.test(text) && text.replaceAll(/\D/g, "").length >= NUMBER_DIGITS_MIN;
  if (!isAddress && !isNumber) return searchFilter(type, text);
  if (!hasPeople(type)) return undefined;
  return isAddress ? { email_list: text } : { phone_list: text };
}
