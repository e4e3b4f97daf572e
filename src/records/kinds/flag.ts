/** True or false. */

import { fieldKind, orUnreadable } from "./kind.ts";

export interface FlagField {
  readonly kind: "flag";
}

export const flag = fieldKind<FlagField>({
  names: ["boolean"],
  request: () => ({ type: ["boolean", "null"] }),
  docs: () => "true or false",
  example: () => false,
  ignoresNull: true,
  column: "flag",
  summary: "group",
  readsNothing: true,
  parse: (_, text, reader) => orUnreadable(reader.flag(text)),
});
