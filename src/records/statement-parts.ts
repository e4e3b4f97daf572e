/** What of a record's SQL the type decides: its table, its columns, and how they are read from a body. */

import { raw, type Sql } from "sql-template-tag";
import { storedColumns, type Column } from "./columns.ts";
import type { RecordType } from "./define.ts";

const SQL_TYPES: Readonly<Record<Column["kind"], string>> = {
  text: "text",
  id: "text",
  number: "numeric",
  flag: "boolean",
  texts: "text[]",
  emails: "json",
  phones: "json",
};

/** How a column's value is read out of the parsed body `x`. */
function valueSql({ name, kind }: Column): string {
  switch (kind) {
    case "emails":
      return `array(select lower(e->>'email') from json_array_elements(x.${name}) e)`;
    case "phones":
      return `array(select e->>'phone' from json_array_elements(x.${name}) e)`;
    default:
      return `x.${name}`;
  }
}

/** The parts of a type's statements that only the type decides, worked out once. */
interface Parts {
  readonly table: Sql;
  readonly names: Sql;
  readonly values: Sql;
  readonly parse: Sql;
  readonly assignments: Sql;
}

const partsOf = new Map<RecordType, Parts>();

/** The parts of a type's statements. */
export function parts(type: RecordType): Parts {
  const known = partsOf.get(type);
  if (known !== undefined) return known;
  const columns = storedColumns(type);
  const made = {
    table: raw(type.table),
    names: raw(columns.map(({ name }) => name).join(", ")),
    values: raw(columns.map(valueSql).join(", ")),
    parse: raw(columns.map(({ name, kind }) => `${name} ${SQL_TYPES[kind]}`).join(", ")),
    assignments: raw(columns.map((column) => `${column.name} = ${valueSql(column)}`).join(", ")),
  };
  partsOf.set(type, made);
  return made;
}
