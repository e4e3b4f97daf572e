/**
 * `POST /crm/<type>/{id}/merges/{merge_id}/undo`: the merged records are there again, as they were; the
 * survivor gives back what the merge brought it and nobody changed since, and so do the records that
 * referred to the merged ones.
 */

import type { Scope } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { isDuplicate, type Tx } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { RECORD_TYPES, type RecordType } from "../types/index.ts";
import { bodyOf, hookOf, idOf, writeHeld, type MergeDeps } from "./merge.ts";
import { holdRecords, inTurn } from "./merge-lock.ts";
import { unmergedValues, type Filled } from "./merge-values.ts";
import {
  closeMerge,
  findMerge,
  findNewer,
  isRecent,
  mergedRecords,
  type Kept,
  type Merge,
} from "./merge-log.ts";
import {
  type Author,
  conflictOf,
  currentIds,
  loggedFields,
  restoreRecord,
  type Stored,
} from "../write/index.ts";
import { holdMoved, moveReferences } from "./referrers.ts";
import { referenceFields, withoutStamps } from "../shape/index.ts";

/** Which merge is undone, and the id of its survivor, which may be an old one. */
export interface Undoing {
  readonly id: string;
  readonly mergeId: string;
}

/** Undoes a merge; the survivor's body as bytes. Throws 404, and 409 where it cannot be undone. */
export async function undoMerge(
  scope: Scope,
  deps: MergeDeps,
  author: Author,
  type: RecordType,
  undoing: Undoing,
): Promise<Buffer> {
  try {
    return await inTurn(scope, async (within) => {
      const { merge, kept } = await openMerge(within, deps, type, undoing);
      const into = merge.survivor_id;
      const survivor = (await holdRecords(within, type, [into])).get(into);
      if (survivor === undefined) throw new AppError("not_found");
      const held = await holdMoved(within, kept.references, into);
      const restored = new Map(
        (await mergedRecords(within, merge.id)).map((one) => [idOf(one), one] as const),
      );
      const record = await reduceSurvivor(within, deps, author, type, { survivor, merge, kept });
      await closeMerge(within, merge, epochSeconds(deps.clock));
      for (const stored of restored.values()) await restore(within, deps, type, stored, merge);
      await moveReferences(within, deps.makeId, held, ({ old }) => ({
        id: old,
        name: restored.get(old)?.body["name"] ?? null,
      }));
      await hookOf(deps, type)?.giveBack(within, deps, { from: into, kept: kept.elsewhere });
      return record;
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const merged = await mergedRecords(scope, undoing.mergeId);
    throw await conflictOf(
      scope,
      type,
      merged.map(({ body }) => ({ external_id: body["external_id"] ?? null })),
    );
  }
}

/** The merge with what undoing it needs. */
async function openMerge(
  scope: Scope<Tx>,
  { clock }: MergeDeps,
  type: RecordType,
  { id, mergeId }: Undoing,
): Promise<{ readonly merge: Merge; readonly kept: Kept }> {
  const current = await currentIds(scope, type, [id]);
  const merge = await findMerge(scope, type, mergeId, [id, current.get(id) ?? id]);
  if (merge === undefined) throw new AppError("not_found");
  if (merge.undone_ts !== null) throw refused("This merge was undone already");
  if (merge.kept === null || !isRecent(merge, epochSeconds(clock))) {
    throw refused("A merge can be undone for 30 days; this one is older");
  }
  const newer = await findNewer(scope, type, merge);
  if (newer !== undefined) {
    throw refused("A newer merge stands on this one; undo it first", { merge_id: newer });
  }
  return { merge, kept: merge.kept };
}

const refused = (detail: string, members = {}): AppError =>
  new AppError("conflict", { detail, members });

/** Takes from the survivor what the merge brought it. */
async function reduceSurvivor(
  scope: Scope<Tx>,
  deps: MergeDeps,
  author: Author,
  type: RecordType,
  {
    survivor,
    merge,
    kept,
  }: {
    readonly survivor: Stored;
    readonly merge: Merge;
    readonly kept: Kept;
  },
): Promise<Buffer> {
  const filled = await currentFilled(scope, type, kept.filled);
  const { ssn, converted, ...rest } = survivor.internal;
  const draft = unmergedValues(type, survivor, filled);
  const values = { ...draft.values };
  // Another number under the same mask is not the one that came.
  const keepsSsn = ssn !== undefined && ssn !== kept.ssn;
  if (keepsSsn) values["ssn"] = survivor.body["ssn"] ?? null;
  const body = bodyOf(type, survivor, { ...draft, values }, { deps, author });
  const staysConverted = converted !== undefined && body["converted_to_contact"] === true;
  return writeHeld(scope, deps, type, survivor, {
    body,
    internal: { ...rest, ...(keepsSsn && { ssn }), ...(staysConverted && { converted }) },
    merged_ids: [[...merge.merged_ids], null],
  });
}

/** What the merge filled in, told by the ids that are current: a contact may have been merged since. */
async function currentFilled(scope: Scope, type: RecordType, filled: Filled): Promise<Filled> {
  const now = Object.fromEntries(Object.entries(filled).map(([name, [, after]]) => [name, after]));
  const current = await currentReferences(scope, type, now);
  return Object.fromEntries(
    Object.entries(filled).map(([name, [before, after]]) => [
      name,
      [before, current[name] ?? after] as const,
    ]),
  );
}

/** A merged record is there again: its body, with the version after its removal's and a fresh updated_ts. */
async function restore(
  scope: Scope<Tx>,
  { makeId }: MergeDeps,
  type: RecordType,
  stored: Stored,
  { survivor_id }: Merge,
): Promise<void> {
  const references = await currentReferences(scope, type, stored.body);
  const body = { ...withoutStamps(stored.body), ...references };
  await restoreRecord(scope, makeId, type, {
    stored,
    next: {
      id: idOf(stored),
      body,
      internal: stored.internal,
      // All of it: who follows the changes was told that it is gone.
      fields: { ...loggedFields(type, {}, body), merged_into: [survivor_id, null] },
    },
    touch: { updated: true, status: false },
    action: "restored",
  });
}

/** Of the references in a body those to records that were merged, to what they were merged into. */
async function currentReferences(
  scope: Scope,
  type: RecordType,
  body: JsonObject,
): Promise<Readonly<Record<string, Json>>> {
  const changed: Record<string, Json> = {};
  for (const { field, to } of referenceFields(type)) {
    const id = body[field];
    if (typeof id !== "string") continue;
    const current = (await currentIds(scope, RECORD_TYPES[to], [id])).get(id);
    if (current !== undefined) changed[field] = current;
  }
  return changed;
}
