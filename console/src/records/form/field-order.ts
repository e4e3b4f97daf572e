/** Which fields of a record come first, in forms and on its page. */

import type { RecordType } from "../record/index.ts";
import { isChangeable, type Purpose } from "./draft.ts";

export interface FieldOrder {
  readonly main: readonly string[];
  readonly more: readonly string[];
}

/** Every field of a type, the main ones apart. */
export function fieldsInOrder(type: RecordType): FieldOrder {
  const fields = Object.keys(type.fields);
  const { mainFields: main = fields } = type;
  const more = fields.filter((name) => !main.includes(name));
  return { main, more };
}

/** The fields that a form has: without those that follow from another, and those it may not change. */
export function formFields(type: RecordType, purpose: Purpose): FieldOrder {
  const isAsked = (name: string) =>
    type.derived[name]?.kind !== "mirror" &&
    // The id of what a record is about stands beside its type.
    name !== type.subject?.id &&
    (purpose === "create" || isChangeable(type, name));
  const { main, more } = fieldsInOrder(type);
  return { main: main.filter(isAsked), more: more.filter(isAsked) };
}

/** The amount of a record that is no sum by itself: an invoice's total. */
export const totalField = (type: RecordType): string | undefined =>
  Object.keys(type.fields).find(
    (name) => type.fields[name]?.kind === "money" && type.follows?.[name] === undefined,
  );
