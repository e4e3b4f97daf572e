/** Which fields of a record come first, in forms and on its page. A field that is not named here follows. */

import type { RecordName, RecordType } from "../record/index.ts";
import { isChangeable, type Purpose } from "./draft.ts";

const LISTS = ["email_list", "phone_list", "tags"];
const PERSON = ["name", "email", "phone", "status", "source", "employer_name", "title", ...LISTS];

const MAIN: Readonly<Record<RecordName, readonly string[]>> = {
  lead: [...PERSON, "comments"],
  contact: [...PERSON, "account_id", "comments"],
  account: [
    ...["name", "email", "phone", "status", "relationship_type", "source", "industry"],
    ...["website", ...LISTS, "description"],
  ],
  deal: [
    ...["name", "account_id", "contact_id", "stage", "value_of_sale", "probability_pcnt"],
    ...["expected_close_date", "product_dict_list"],
  ],
  invoice: [
    ...["invoice_num", "invoice_type", "account_id", "contact_id", "stage", "invoice_date"],
    ...["invoice_line_list", "total_amount"],
  ],
  order: [
    ...["account_id", "contact_id", "order_type", "stage", "order_date", "order_line_list"],
    "total_amount",
  ],
  task: ["name", "due_date", "priority", "status", "subject_type", "userid", "description", "tags"],
};

export interface FieldOrder {
  readonly main: readonly string[];
  readonly more: readonly string[];
}

/** Every field of a type, the main ones apart. */
export function fieldsInOrder(type: RecordType): FieldOrder {
  const main = MAIN[type.name].filter((name) => name in type.fields);
  const more = Object.keys(type.fields).filter((name) => !main.includes(name));
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
