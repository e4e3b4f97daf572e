/** Extends schemas of objects whose secret is returned only once, when the object is created. */

import type { Schema } from "../validation/index.ts";

/** Adds a required member for the secret to a schema. */
export function withSecret(schema: Schema, name: string, description: string): Schema {
  const { properties, required } = schema as {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  };
  const secret = { type: "string", description: `${description} It is not shown again.` };
  return {
    ...schema,
    properties: { ...properties, [name]: secret },
    required: [...required, name],
  };
}
