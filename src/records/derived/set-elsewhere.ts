/** A value set by another operation, such as convert or import. Until then, it has the value `empty`. */

import { described, nullable } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface SetElsewhere<Name extends string = string> {
  readonly kind: "set_elsewhere";
  readonly type: "id" | "flag" | "object";
  readonly empty: null | false;
  /** The type of the record that the id refers to. Missing if the id does not refer to a record. */
  readonly to?: Name;
  /** A sentence for the API reference. */
  readonly description: string;
  /** Describes the member and the operation that sets it, for docs/records.md. */
  readonly doc: string;
}

const SCHEMAS = {
  id: nullable({ type: "string" }),
  flag: { type: "boolean" },
  object: { type: ["object", "null"], additionalProperties: true },
} as const;

const NAMES = { id: "reference", flag: "boolean", object: "object" } as const;

export const set_elsewhere = derivedKind<SetElsewhere>({
  schema: ({ type, description }) => described(SCHEMAS[type], description),
  docs: ({ doc, empty }) => `${doc}; otherwise \`${empty}\``,
  column: ({ type }) => (type === "id" ? "id" : undefined),
  kindName: ({ type }) => NAMES[type],
  origin: () => ({ rule: "operation" }),
  details: ({ to }) => (to === undefined ? {} : { record_type: to }),
  summary: "group",
});
