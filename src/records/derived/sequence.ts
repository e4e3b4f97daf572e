/** A number that Leadport assigns in sequence. */

import { string } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface Sequence {
  readonly kind: "sequence";
  readonly prefix: string;
  readonly start: number;
}

export const sequence = derivedKind<Sequence>({
  schema: (_, { name }) => string(`The number of the ${name}, assigned by Leadport.`),
  docs: ({ prefix, start }) =>
    `assigned by Leadport in sequence, starting at \`${prefix}${start}\`; numbers can be skipped`,
  column: () => "text",
  summary: "group",
});
