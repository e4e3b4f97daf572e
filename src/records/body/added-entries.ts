/** Addresses and numbers that an import adds to an existing record. */

import { asList, type JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  ENTRY_KEYS,
  isOtherEntry,
  listedKeys,
  storedEntries,
  type CountryCode,
} from "../contact-details/index.ts";
import { entryLists, listWithMain } from "./entry-lists.ts";
import type { Values } from "./present.ts";

/**
 * Returns the input for an existing record. If the input contains only some of a list's entries (`partial`), they are
 * added to the record's own entries. An `email` or `phone` in the input replaces the main entry, unless the record
 * already has it as a secondary entry. In that case, the main entry stays the same, because the record would otherwise
 * lose it.
 */
export function withAddedEntries(
  type: RecordType,
  stored: JsonObject,
  sent: Values,
  { partial, country }: { readonly partial: readonly string[]; readonly country: CountryCode },
): Values {
  const next: Values = { ...sent };
  for (const [name, kind] of entryLists(type)) {
    const items = sent[name];
    const text = sent[kind];
    const main = stored[kind];
    const isWhole = items !== undefined && !partial.includes(name);
    if (isWhole || typeof text !== "string" || text === "") continue;
    const before = storedEntries(stored[name]);
    const [key = ""] = listedKeys(kind, [text], country);
    const isOther = typeof main === "string" && main !== "" && isOtherEntry(stored, kind, key);
    if (isOther) delete next[kind];
    delete next[name];
    const own = isOther ? before : listWithMain(kind, stored, text, country);
    // If the tenant's country has changed, an unchanged number can have another key than its entry.
    const known = new Set([key, ...own.map(ENTRY_KEYS[kind])]);
    const keys = listedKeys(kind, items, country);
    const added = asList(items).filter((_, at) => !known.has(keys[at] ?? ""));
    if (added.length > 0) next[name] = [...own, ...added];
  }
  return next;
}
