/** Maps values from other systems to Leadport's enumerations. */

import type { RecordType } from "../../records/index.ts";
import { plainName } from "../columns/index.ts";

/** Returns the field value that a string in the file stands for. Returns undefined if the string is unknown. */
export function knownWord(type: RecordType, field: string, word: string): string | undefined {
  const words = type.imports?.values?.[field];
  if (words === undefined) return undefined;
  const plain = plainName(word);
  const known = Object.entries(words);
  return known.find(([value, names]) => plainName(value) === plain || names.includes(plain))?.[0];
}
