/** Determines the order of a record's fields in forms and on its page. */

import { isCondition, type RecordType } from "../../record/index.ts";
import { isChangeable, type Purpose } from "./draft.ts";

export interface FieldOrder {
  readonly main: readonly string[];
  readonly more: readonly string[];
}

/** Returns all fields of a type. The main fields are separate from the rest. */
export function fieldsInOrder(type: RecordType): FieldOrder {
  const { main_fields: main } = type;
  const more = Object.keys(type.fields).filter((name) => !main.includes(name));
  return { main, more };
}

/**
 * Returns the fields to show in a form, without derived fields and fields that cannot be changed.
 */
export function formFields(type: RecordType, purpose: Purpose): FieldOrder {
  const isAsked = (name: string) =>
    !isCondition(type, name) &&
    // The input for a task's subject type also handles the subject's ID.
    name !== type.subject_fields?.id &&
    (purpose === "create" || isChangeable(type, name));
  const { main, more } = fieldsInOrder(type);
  return { main: main.filter(isAsked), more: more.filter(isAsked) };
}
