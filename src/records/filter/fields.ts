/** The fields that a list can be filtered by: fields of the type, members of entries, and `_id`. */

import sql, { raw } from "sql-template-tag";
import { once, remember } from "../../platform/clock/index.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import { onEntries, onMember, onTexts, onValue, type Entries, type Place } from "./places.ts";
import { type CountryCode, mustColumn, phoneKey } from "../shape/index.ts";

type Places = ReadonlyMap<string, Place>;

const COUNTRIES_MAX = 300;

const fieldsOf = once((listing: Listing) => {
  const known = remember<Places>(COUNTRIES_MAX);
  return (type: RecordType, country: CountryCode): Places =>
    known(country, () => placesOf(type, listing, country));
});

/**
 * Returns the fields and members that the list's filters can refer to, by name. Phone numbers are parsed as numbers in
 * `country`.
 */
export const filterFields = (type: RecordType, listing: Listing, country: CountryCode): Places =>
  fieldsOf(listing)(type, country);

function placesOf(type: RecordType, listing: Listing, country: CountryCode): Places {
  const places = new Map<string, Place>();
  for (const field of [...listing.filter, "_id"]) {
    const { name, kind, spellings } = mustColumn(type, field);
    const column = raw(name);
    if (kind === "texts") {
      places.set(field, onTexts(column));
    } else if (kind === "emails" || kind === "phones") {
      const entries = { column, name, ...(kind === "emails" ? ADDRESSES : numbersOf(country)) };
      places.set(field, onEntries(entries));
      for (const member of [entries.main, "type"]) {
        places.set(`${field}.${member}`, onMember(entries, member));
      }
    } else {
      const ids = kind === "id" || field === type.subject?.id;
      places.set(field, onValue(column, kind, { ids, ...(spellings && { spellings }) }));
    }
  }
  return places;
}

type Compared = Omit<Entries, "column" | "name">;

/** Email addresses are compared case-insensitively and without surrounding spaces. */
const ADDRESSES: Compared = {
  main: "email",
  key: (text) => sql`lower(${text.trim()}::text)`,
  stored: (text) => text,
  ignoresCase: true,
};

/** Phone numbers are compared by their digits, including the country code. */
const numbersOf = (country: CountryCode): Compared => ({
  main: "phone",
  key: (text) => sql`${text.trim()}::text`,
  stored: (text) => phoneKey(text, country),
  ignoresCase: false,
});
