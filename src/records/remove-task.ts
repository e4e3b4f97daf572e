/** Tasks are the only records that can be deleted (D7). */

import type { Scope } from "../audit/index.ts";
import { changedFields } from "../audit/index.ts";
import { transaction } from "../platform/db.ts";
import type { EntityTags } from "../platform/entity-tags.ts";
import { AppError } from "../platform/errors.ts";
import { refuseStale } from "./precondition.ts";
import { withoutStamps } from "./schemas.ts";
import { removeRecord } from "./store.ts";
import { findStored } from "./stored.ts";
import { RECORD_TYPES } from "./types/index.ts";
import type { WriteDeps } from "./write.ts";

/** Deletes a task; its history tells what it held. Throws 404, and 412 as a change does. */
export async function removeTask(
  scope: Scope,
  { makeId }: WriteDeps,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: EntityTags | undefined },
): Promise<void> {
  const { task } = RECORD_TYPES;
  await transaction(scope.db, async (db) => {
    const within = { ...scope, db };
    const stored = await findStored(within, task, id, { lock: true });
    if (stored === undefined) throw new AppError("not_found");
    await refuseStale(within, task, stored, { ifMatch, asked: id });
    const fields = changedFields(withoutStamps(stored.body), {});
    await removeRecord(within, makeId, task, { id, fields, action: "deleted" });
  });
}
