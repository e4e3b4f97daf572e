/** The time when `field` changed to one of `values`. Null while `field` has none of these values. */

import { nullable, number } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface Moment {
  readonly kind: "moment";
  readonly field: string;
  readonly values: readonly string[];
  readonly description: string;
}

export const moment = derivedKind<Moment>({
  schema: ({ description }) => nullable(number(description)),
  docs: ({ field, values }) =>
    `the time at which \`${field}\` became ${values.map((value) => `\`${value}\``).join(" or ")}, in epoch seconds; otherwise null`,
  value: (derived, name, { values, stands }, { stored, now_s }) => {
    if (!derived.values.includes(String(values[derived.field]))) return null;
    const moved = stored?.[derived.field] !== values[derived.field];
    const given = stands.includes(name) && !(moved && values[name] === stored?.[name]);
    return (given || !moved ? values[name] : null) ?? now_s;
  },
  kindName: () => "datetime",
  column: () => "number",
  summary: "period",
});
