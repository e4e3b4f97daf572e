/** The schemas of request bodies in openapi.json. */

import type { Schema } from "../../platform/validation/index.ts";
import type { Schemas } from "../../platform/schemas/index.ts";
import type { RecordType } from "../types/index.ts";
import type { Purpose } from "../kinds/index.ts";
import { fieldOf, fieldSchema, frozenNames, readOnlyNames, requestSchema } from "./schemas.ts";

/**
 * Returns the schema of a POST, PUT or PATCH body for openapi.json. It includes field aliases and the members that
 * responses contain. Clients may send these back, so clients that validate their requests must know them.
 */
export function printedRequest(type: RecordType, purpose: Purpose): Schema {
  const request = requestSchema(type, purpose);
  const aliases = Object.entries(type.aliases).map(([alias, field]) => {
    const { default: _, ...schema } = fieldSchema(fieldOf(type, field), purpose);
    const description = `Another name for \`${field}\`, used if \`${field}\` is not sent.`;
    return [alias, { ...schema, description }];
  });
  return {
    ...request,
    properties: {
      ...request.properties,
      ...Object.fromEntries(aliases),
      ...refs(frozenNames(type, purpose), "SetOnCreate#"),
      ...refs(readOnlyNames(type), "Ignored#"),
    },
  };
}

const refs = (names: Iterable<string>, $ref: string): Schemas =>
  Object.fromEntries([...names].map((name) => [name, { $ref }]));

/** The schemas of members that a request may repeat but not change. */
export const REPEATED_SCHEMAS: Schemas = {
  Ignored: {
    description:
      "Set by Leadport. Ignored in request bodies, so you can send back a record that you have read.",
  },
  SetOnCreate: {
    description: "Can be set only on create. Later requests may repeat the stored value.",
  },
};
