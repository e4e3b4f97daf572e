/** What a list is asked for by a text of the palette. */

import { hasPeople, type RecordType, searchFilter } from "../records/record/index.ts";

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
/** With its area, so that the service understands it. */
const NUMBER = /^\+?[\d\s()./-]+$/;
const NUMBER_DIGITS_MIN = 10;

/**
 * The filter that finds a text; undefined where the type has nothing that it could be. A whole address
 * or number is compared, which an index answers; nobody's name looks like one.
 */
export function findFilter(type: RecordType, text: string): unknown {
  const isAddress = ADDRESS.test(text);
  const isNumber = NUMBER.test(text) && text.replaceAll(/\D/g, "").length >= NUMBER_DIGITS_MIN;
  if (!isAddress && !isNumber) return searchFilter(type, text);
  if (!hasPeople(type)) return undefined;
  return isAddress ? { email_list: text } : { phone_list: text };
}
