/** The id of another record. */

import { nullable, string } from "../../platform/schemas/index.ts";
import { fieldKind } from "./kind.ts";

export interface ReferenceField<Name extends string = string> {
  readonly kind: "reference";
  readonly to: Name;
}

export const reference = fieldKind<ReferenceField>({
  names: ["reference"],
  details: ({ to }) => ({ record_type: to }),
  request: ({ to }) => nullable(string(`The id of an existing ${to}.`, { maxLength: 100 })),
  response: ({ to }, schema) => ({ ...schema, description: `The id of the ${to}.` }),
  docs: ({ to }) => `the \`_id\` of an existing ${to}`,
  example: ({ to }, values) => values.idOf(to),
  column: "id",
  summary: "group",
  parse: (_, text) => ({ value: text }),
});
