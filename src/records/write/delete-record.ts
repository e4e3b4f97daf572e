/** Deletes records of the types that allow it: today tasks (D7). */

import { changedFields, type Scope } from "../../audit/index.ts";
import { transaction } from "../../platform/database/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { refuseStale } from "./precondition.ts";
import { withoutStamps } from "../shape/index.ts";
import { removeRecord } from "./statements.ts";
import { findStored } from "./find-record.ts";
import type { RecordType } from "../types/index.ts";
import type { WriteDeps } from "./write.ts";

/** Deletes a record; its history shows what it held. Throws 404, and 412 as a change does. */
export async function deleteRecord(
  scope: Scope,
  { makeId }: WriteDeps,
  type: RecordType,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: EntityTags | undefined },
): Promise<void> {
  await transaction(scope.db, async (db) => {
    const within = { ...scope, db };
    const stored = await findStored(within, type, id, { lock: true });
    if (stored === undefined) throw new AppError("not_found");
    await refuseStale(within, type, stored, { ifMatch, asked: id });
    const fields = changedFields(withoutStamps(stored.body), {});
    await removeRecord(within, makeId, type, { id, fields, action: "deleted" });
  });
}
