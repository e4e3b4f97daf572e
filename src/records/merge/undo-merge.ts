/**
 * `POST /crm/<type>/{id}/merges/{merge_id}/undo`: the merged records exist again, as they were. The survivor
 * loses what the merge brought it and nobody has changed since, and so do the records that referred to
 * the merged ones.
 */

import type { Scope } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { isDuplicate, type Tx } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { RECORD_TYPES, type RecordType } from "../types/index.ts";
import { bodyOf, hookOf, idOf, writeHeld } from "./merge.ts";
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
  conflictOf,
  currentIds,
  loggedFields,
  restoreRecord,
  type Stored,
  type Writer,
} from "../write/index.ts";
import { holdMoved, moveReferences } from "./referrers.ts";
import { referenceFields, withoutStamps } from "../shape/index.ts";

/** Which merge is undone, and the id of its survivor, which may be an old one. */
export interface Undoing {
  readonly id: string;
  readonly mergeId: string;
}

/** Undoes a merge; the survivor's body as bytes. Throws 404, and 409 where it cannot be undone. */
export async function undoMerge(writer: Writer, undoing: Undoing): Promise<Buffer> {
  try {
    return await inTurn(writer, async (within) => {
      const { scope, deps } = within;
      const { merge, kept } = await openMerge(within, undoing);
      const into = merge.survivor_id;
      const survivor = (await holdRecords(within, [into])).get(into);
      if (survivor === undefined) throw new AppError("not_found");
      const held = await holdMoved(scope, kept.references, into);
      const restored = new Map(
        (await mergedRecords(scope, merge.id)).map((one) => [idOf(one), one] as const),
      );
      const record = await reduceSurvivor(within, survivor, { merge, kept });
      await closeMerge(scope, merge, epochSeconds(deps.clock));
      for (const stored of restored.values()) await restore(within, stored, merge);
      await moveReferences(within, held, ({ old }) => ({
        id: old,
        name: restored.get(old)?.body["name"] ?? null,
      }));
      await hookOf(within)?.restore(within, { from: into, kept: kept.elsewhere });
      return record;
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const merged = await mergedRecords(writer.scope, undoing.mergeId);
    throw await conflictOf(
      writer,
      merged.map(({ body }) => ({ external_id: body["external_id"] ?? null })),
    );
  }
}

/** A merge with what undoing it needs. */
interface OpenMerge {
  readonly merge: Merge;
  readonly kept: Kept;
}

async function openMerge(
  { scope, deps: { clock }, type }: Writer<Tx>,
  { id, mergeId }: Undoing,
): Promise<OpenMerge> {
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

/** Removes from the survivor what the merge brought it. */
async function reduceSurvivor(
  writer: Writer<Tx>,
  survivor: Stored,
  { merge, kept }: OpenMerge,
): Promise<Buffer> {
  const { scope, type } = writer;
  const filled = await currentFilled(scope, type, kept.filled);
  const { ssn, converted, ...rest } = survivor.internal;
  const draft = unmergedValues(type, survivor, filled);
  const values = { ...draft.values };
  // Another number under the same mask is not the one that came.
  const keepsSsn = ssn !== undefined && ssn !== kept.ssn;
  if (keepsSsn) values["ssn"] = survivor.body["ssn"] ?? null;
  const body = bodyOf(writer, survivor, { ...draft, values });
  const staysConverted = converted !== undefined && body["converted_to_contact"] === true;
  return writeHeld(writer, survivor, {
    body,
    internal: { ...rest, ...(keepsSsn && { ssn }), ...(staysConverted && { converted }) },
    merged_ids: [[...merge.merged_ids], null],
  });
}

/** What the merge filled in, by the ids that are current: a contact may have been merged since. */
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

/** Restores a merged record: its body, with the version after its removal's and a fresh updated_ts. */
async function restore(writer: Writer<Tx>, stored: Stored, { survivor_id }: Merge): Promise<void> {
  const { scope, type } = writer;
  const references = await currentReferences(scope, type, stored.body);
  const body = { ...withoutStamps(stored.body), ...references };
  await restoreRecord(writer, {
    stored,
    next: {
      id: idOf(stored),
      body,
      internal: stored.internal,
      // All of it: readers of the change feed have seen its removal.
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
