/** The fields that a list can be filtered by: fields of the type, members of entries, and `_id`. */

import { once } from "../../platform/cache/index.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import { mustColumn } from "../columns/index.ts";
import type { FilterField, FilterFields } from "./tree/index.ts";

/** Returns the fields and members that the list's filters can refer to. */
export const filterFields = (type: RecordType, listing: Listing): FilterFields =>
  fieldsOf(type)(listing);

const fieldsOf = once((type: RecordType) =>
  once((listing: Listing): FilterFields => {
    const names = [...listing.filter, "_id"];
    return new Map(names.map((name) => [name, fieldOf(type, name)]));
  }),
);

const TYPES = { text: "string", id: "string", number: "number", flag: "boolean" } as const;

function fieldOf(type: RecordType, name: string): FilterField {
  const { kind, spellings } = mustColumn(type, name);
  switch (kind) {
    case "texts":
      return { kind, name, type: "string" };
    case "emails":
      return { kind: "entries", name, type: "string", main: "email" };
    case "phones":
      return { kind: "entries", name, type: "string", main: "phone" };
    default: {
      const ids = kind === "id" || name === type.subject?.id;
      return { kind: "value", name, type: TYPES[kind], ids, ...(spellings && { spellings }) };
    }
  }
}
