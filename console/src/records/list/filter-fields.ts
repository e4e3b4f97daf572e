/** The fields that the list of a type can be filtered by, as the filter editor shows them. */

import {
  filterFields,
  kindOf,
  type RecordType,
  referenceOf,
  SUBJECT_TYPES,
} from "../record/index.ts";
import { columnLabel, choicesOf } from "./columns.ts";
import { OPERATORS, type Condition, type FilterKind } from "./filter.ts";

export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  readonly choices: readonly string[];
}

/** Returns the filterable fields of a type, in its order. */
export const filterFieldsOf = (type: RecordType): readonly FilterField[] =>
  filterFields(type).map((name) => ({
    name,
    label: columnLabel(type, name),
    kind: filterKindOf(type, name),
    choices: choicesOf(type, name) ?? [],
  }));

export function filterKindOf(type: RecordType, name: string): FilterKind {
  if (choicesOf(type, name) !== undefined) return "choice";
  if (name === type.subject?.id) return "reference";
  switch (kindOf(type, name)) {
    case "tags":
      return "tags";
    case "emails":
    case "phones":
      return "entries";
    case "number":
    case "share":
    case "money":
      return "number";
    case "moment":
      return "day";
    case "flag":
      return "flag";
    case "reference":
      return "reference";
    case "partner":
      return "partner";
    case "user":
      return "person";
    default:
      return "text";
  }
}

/** Returns the types of records that a field can refer to. Tasks can refer to most types. */
export function typesNamedBy(of: RecordType, name: string): readonly RecordType[] {
  if (name === of.subject?.id) return [...SUBJECT_TYPES.values()];
  const to = referenceOf(of, name);
  return to === undefined ? [] : [to];
}

/** Returns the initial values of a new condition. */
export function emptyCondition({ name, kind }: FilterField): Condition {
  return { field: name, operator: OPERATORS[kind][0] ?? "is", values: [] };
}
