/** The fields by which a type's list can be filtered, for the filter editor. */

import { type Kind, kindFor } from "../../kinds/index.ts";
import { filterFields, type FilterKind, type RecordType } from "../../record/index.ts";
import { columnLabel, choicesOf } from "./columns.ts";
import { OPERATORS, type Condition } from "./filter.ts";

export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  readonly filtering: Kind["filtering"];
  readonly choices: readonly string[];
}

/** Returns a type's filterable fields in the order of the type. */
export const filterFieldsOf = (type: RecordType): readonly FilterField[] =>
  filterFields(type).map((name) => {
    const { filtering } = kindFor(type, name);
    return {
      name,
      label: columnLabel(type, name),
      kind: filtering.kind,
      filtering,
      choices: choicesOf(type, name) ?? [],
    };
  });

/** Returns the kinds of a type's filterable fields, by name. */
export const filterKinds = (type: RecordType): ReadonlyMap<string, FilterKind> =>
  new Map(filterFields(type).map((name) => [name, filterKindOf(type, name)]));

export const filterKindOf = (type: RecordType, name: string): FilterKind =>
  kindFor(type, name).filtering.kind;

/** Returns the initial values of a new condition. */
export function emptyCondition({ name, kind }: FilterField): Condition {
  return { field: name, operator: OPERATORS[kind][0] ?? "is", values: [] };
}
