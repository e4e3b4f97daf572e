/** The bodies of requests as openapi.json prints them. */

import type { Schema, Schemas } from "../../platform/validation/index.ts";
import type { RecordType } from "../types/index.ts";
import { fieldOf, fieldSchema, type Purpose } from "./field-schemas.ts";
import { frozenNames, readOnlyNames, requestSchema } from "./schemas.ts";

/**
 * What POST, PUT or PATCH take, as openapi.json prints it: with other names of fields, and with the members that
 * are returned. These may be sent back, so clients that check what they send have to know them.
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

/** What the members are that a body takes although it cannot change them. */
export const REPEATED_SCHEMAS: Schemas = {
  Ignored: {
    description: "Returned by Leadport. Ignored in a body, so you can send back what you read.",
  },
  SetOnCreate: { description: "Set on create only. A body may repeat the stored value." },
};
