/** The response to delete operations. */

import { objectSchema } from "../validation/index.ts";

export const DELETED_SCHEMA = objectSchema({
  deleted: { type: "boolean" },
  ids: { type: "array", items: { type: "string" } },
});

export const deletionOf = (id: string) => ({ deleted: true, ids: [id] });
