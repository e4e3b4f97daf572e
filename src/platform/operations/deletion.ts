/** The response to delete operations. */

import { described, objectSchema } from "../schemas/index.ts";

/** Returns the response's schema. `noun` and `done` describe what was deleted, for example "token" and "revoked". */
export const deletionSchema = (noun: string, done = "deleted") =>
  objectSchema({
    deleted: described({ type: "boolean" }, `Whether the ${noun} was ${done}.`),
    ids: described({ type: "array", items: { type: "string" } }, `The id of the ${done} ${noun}.`),
  });

export const deletionOf = (id: string) => ({ deleted: true, ids: [id] });
