/** Tasks are the only records that can be deleted (D7). */

import type { Scope } from "../audit/index.ts";
import { changedFields } from "../audit/index.ts";
import { AppError } from "../platform/errors.ts";
import { withoutStamps } from "./schemas.ts";
import { findStored, removeRecord } from "./store.ts";
import { RECORD_TYPES } from "./types/index.ts";
import type { WriteDeps } from "./write.ts";

/** Deletes a task; its history tells what it held. Throws 404. */
export async function removeTask(scope: Scope, { makeId }: WriteDeps, id: string): Promise<void> {
  const { task } = RECORD_TYPES;
  const stored = await findStored(scope, task, id);
  if (stored === undefined) throw new AppError("not_found");
  const fields = changedFields(withoutStamps(stored.body), {});
  const removal = { id, fields, action: "deleted" };
  if (!(await removeRecord(scope, makeId, task, removal))) throw new AppError("not_found");
}
