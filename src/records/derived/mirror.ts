/** True if and only if `field` has `value`. Sending this member sets the field. */

import { boolean } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface Mirror {
  readonly kind: "mirror";
  readonly field: string;
  readonly value: string;
}

export const mirror = derivedKind<Mirror>({
  origin: ({ field }) => ({ rule: "condition", field }),
  schema: ({ field, value }) => boolean(`Whether \`${field}\` is \`${value}\`.`),
  docs: ({ field, value }) => `true if \`${field}\` is \`${value}\`, otherwise false`,
  column: () => "flag",
  summary: "group",
});
