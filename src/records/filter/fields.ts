/** The fields that a list can be filtered by: fields of the type, members of entries, and `_id`. */

import { once } from "../../platform/clock/index.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import { mustColumn } from "../shape/index.ts";
import { entriesField, type FilterField, type FilterFields } from "./tree/index.ts";

/** Returns the fields and members that the list's filters can refer to. */
export const filterFields = (type: RecordType, listing: Listing): FilterFields =>
  fieldsOf(type)(listing);

const fieldsOf = once((type: RecordType) =>
  once((listing: Listing): FilterFields => {
    const fields = [...listing.filter, "_id"].flatMap((name) => fieldsNamed(type, name));
    return new Map(fields.map((field) => [field.name, field]));
  }),
);

const TYPES = { text: "string", id: "string", number: "number", flag: "boolean" } as const;

/** Returns the field with this name. Members follow a list of entries. */
function fieldsNamed(type: RecordType, name: string): readonly FilterField[] {
  const { kind, spellings } = mustColumn(type, name);
  switch (kind) {
    case "texts":
      return [{ kind, name, type: "string" }];
    case "emails":
      return entriesField(name, "email");
    case "phones":
      return entriesField(name, "phone");
    default: {
      const ids = kind === "id" || name === type.subject?.id;
      return [{ kind: "value", name, type: TYPES[kind], ids, ...(spellings && { spellings }) }];
    }
  }
}
