/** The name of the record that a reference field refers to. It is updated when that record is renamed. */

import { nullable, string } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface NameOf {
  readonly kind: "name_of";
  readonly reference: string;
}

export const name_of = derivedKind<NameOf>({
  origin: ({ reference }) => ({ rule: "name", field: reference }),
  schema: ({ reference }, type) => nullable(string(`The name of the ${type.targetOf(reference)}.`)),
  docs: ({ reference }) =>
    `the name of the record in \`${reference}\`; updated within a minute of a rename`,
  value: ({ reference }, _, { values }, { names }) =>
    values[reference] === null ? null : (names[reference] ?? null),
  column: () => "text",
  summary: "group",
});
