/** Deletes records. Currently, only tasks can be deleted. */

import { changedFields } from "../../audit/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { refuseStale } from "./precondition.ts";
import { withoutStamps } from "../schemas/index.ts";
import { store, findStored, inTransaction, type Writer } from "../store/index.ts";

/** Deletes a record. Its last values remain in its history. Throws 404 if it does not exist, and 412 like a PATCH. */
export async function deleteRecord(
  writer: Writer,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: EntityTags | undefined },
): Promise<void> {
  await inTransaction(writer, async (within) => {
    const stored = await findStored(within.scope, within.type, id, { lock: true });
    if (stored === undefined) throw new AppError("not_found");
    await refuseStale(within, stored, { ifMatch, asked: id });
    const fields = changedFields(withoutStamps(stored.body), {});
    const records = [{ id, stored }];
    await store(within, { kind: "deleted", records, action: "deleted", fields });
  });
}
