/** Determines the order of a record's fields in forms and on its page. */

import type { RecordType } from "../record/index.ts";
import { isChangeable, type Purpose } from "./draft.ts";

export interface FieldOrder {
  readonly main: readonly string[];
  readonly more: readonly string[];
}

/** Returns all fields of a type. The main fields are separate from the rest. */
export function fieldsInOrder(type: RecordType): FieldOrder {
  const fields = Object.keys(type.fields);
  const { mainFields: main = fields } = type;
  const more = fields.filter((name) => !main.includes(name));
  return { main, more };
}

/**
 * Returns the fields to show in a form, without derived fields and fields that cannot be changed.
 */
export function formFields(type: RecordType, purpose: Purpose): FieldOrder {
  const isAsked = (name: string) =>
    type.derived[name]?.kind !== "mirror" &&
    // The input for a task's subject type also handles the subject's ID.
    name !== type.subject?.id &&
    (purpose === "create" || isChangeable(type, name));
  const { main, more } = fieldsInOrder(type);
  return { main: main.filter(isAsked), more: more.filter(isAsked) };
}

/**
 * Returns the amount field that the form keeps equal to the total of the lines. The service does not do this. Only
 * invoices have such a field.
 */
export const totalField = (type: RecordType): string | undefined =>
  Object.keys(type.fields).find(
    (name) => type.fields[name]?.kind === "money" && type.follows?.[name] === undefined,
  );
