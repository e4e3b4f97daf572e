/** The fields by which a type's list can be filtered, for the filter editor. */

import {
  filterFields,
  kindOf,
  type RecordType,
  referenceOf,
  subjectTypes,
} from "../../record/index.ts";
import { columnLabel, choicesOf } from "./columns.ts";
import { OPERATORS, type Condition, type FilterKind } from "./filter.ts";

export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  readonly choices: readonly string[];
}

/** Returns a type's filterable fields in the order of the type. */
export const filterFieldsOf = (type: RecordType): readonly FilterField[] =>
  filterFields(type).map((name) => ({
    name,
    label: columnLabel(type, name),
    kind: filterKindOf(type, name),
    choices: choicesOf(type, name) ?? [],
  }));

/** Returns the kinds of a type's filterable fields, by name. */
export const filterKinds = (type: RecordType): ReadonlyMap<string, FilterKind> =>
  new Map(filterFields(type).map((name) => [name, filterKindOf(type, name)]));

export function filterKindOf(type: RecordType, name: string): FilterKind {
  if (choicesOf(type, name) !== undefined) return "choice";
  if (name === type.subject_fields?.id) return "reference";
  switch (kindOf(type, name)) {
    case "tags":
      return "tags";
    case "emails":
    case "phones":
      return "entries";
    case "number":
    case "integer":
    case "fraction":
    case "money":
      return "number";
    case "datetime":
      return "day";
    case "boolean":
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

/** Returns the record types that a field can refer to. A task can refer to most types. */
export function typesNamedBy(of: RecordType, name: string): readonly RecordType[] {
  if (name === of.subject_fields?.id) return subjectTypes();
  const to = referenceOf(of, name);
  return to === undefined ? [] : [to];
}

/** Returns the initial values of a new condition. */
export function emptyCondition({ name, kind }: FilterField): Condition {
  return { field: name, operator: OPERATORS[kind][0] ?? "is", values: [] };
}
