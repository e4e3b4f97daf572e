/** The value of a field under another name. */

import { described } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface Copy {
  readonly kind: "copy";
  readonly of: string;
}

export const copy = derivedKind<Copy>({
  schema: ({ of }, type) => described(type.schemaOf(of), `Equal to \`${of}\`.`),
  docs: ({ of }) => `same as \`${of}\``,
  value: ({ of }, _, { values }) => values[of] ?? null,
  kindName: ({ of }, kindOf) => kindOf(of),
  origin: ({ of }) => ({ rule: "copy", field: of }),
  column: () => "text",
  summary: "group",
});
