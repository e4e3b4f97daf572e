/** Schemas of what is created with a secret that no other response shows. */

import type { Schema } from "./validation.ts";

/** The schema of a thing, and with it the member that holds its secret, which is always there. */
export function withSecret(schema: Schema, name: string, description: string): Schema {
  const { properties, required } = schema as {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  };
  const secret = { type: "string", description: `${description} It is shown this once.` };
  return {
    ...schema,
    properties: { ...properties, [name]: secret },
    required: [...required, name],
  };
}
