/** What a list operation can be filtered by: its fields (spec 4.8), members of entries, `_id` (D4.3). */

import sql, { raw } from "sql-template-tag";
import { type Listing, type RecordType } from "../types/index.ts";
import { onEntries, onMember, onTexts, onValue, type Entries, type Place } from "./places.ts";
import { type Column, type CountryCode, mustColumn, phoneKey } from "../shape/index.ts";

/** The place of every name that a filter of this listing may use. `country` reads typed numbers. */
export function filterFields(
  type: RecordType,
  listing: Listing,
  country: CountryCode,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const name of [...listing.filter, "_id"]) {
    const column = mustColumn(type, name);
    const entries = entriesOf(column, country);
    if (entries === undefined) {
      places.set(name, placeOf(column, name === type.subject?.id));
      continue;
    }
    places.set(name, onEntries(entries));
    for (const member of [entries.main, "type"]) {
      places.set(`${name}.${member}`, onMember(entries, member));
    }
  }
  return places;
}

function placeOf({ name, kind, spellings }: Column, isSubject: boolean): Place {
  const column = raw(name);
  if (kind === "texts") return onTexts(column);
  if (kind === "emails" || kind === "phones") throw new Error(`${name} holds entries`);
  return onValue(column, kind, {
    ids: isSubject || kind === "id",
    ...(spellings !== undefined && { spellings }),
  });
}

/** Addresses are compared without regard to case, numbers by their digits with country code (D4.3). */
function entriesOf({ name, kind }: Column, country: CountryCode): Entries | undefined {
  const column = raw(name);
  if (kind === "emails") {
    return {
      column,
      name,
      main: "email",
      key: (text) => sql`lower(${text}::text)`,
      stored: (text) => text,
      options: "i",
    };
  }
  if (kind === "phones") {
    return {
      column,
      name,
      main: "phone",
      key: (text) => sql`${text}::text`,
      stored: (text) => phoneKey(text, country),
      options: "",
    };
  }
  return undefined;
}
