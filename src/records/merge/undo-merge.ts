/**
 * `POST /crm/<type>/{id}/merges/{merge_id}/undo`: restores the merged records as they were. The survivor loses the
 * values that the merge added, except for values that were changed afterwards. References that the merge moved are
 * moved back.
 */

import type { Scope } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { isDuplicate } from "../../platform/failed-statements/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { type RecordType, typeOf } from "../types/index.ts";
import { bodyOf, idOf, writeLocked } from "./merge.ts";
import { lockRecords, exclusively } from "./merge-lock.ts";
import { unmergedValues, type Filled } from "./merge-values.ts";
import {
  closeMerge,
  findMerge,
  findNewer,
  isRecent,
  mergedRecords,
  type UndoData,
  type Merge,
} from "./merge-log.ts";
import { participantsIn, store, type Stored, type Writer } from "../store/index.ts";
import { conflictOf, currentIds, loggedFields } from "../write/index.ts";
import { lockMoved, moveMergedBack, moveReferences } from "./referrers.ts";
import { referenceFields } from "../columns/index.ts";
import { withoutStamps } from "../schemas/index.ts";

/** The merge to undo, and its survivor's id, which may be an old id. */
export interface UndoInput {
  readonly id: string;
  readonly mergeId: string;
}

/**
 * Undoes a merge and returns the survivor's body as bytes. Throws 404 if the record or merge does not exist, and 409 if
 * the merge cannot be undone.
 */
export async function undoMerge(writer: Writer, undoing: UndoInput): Promise<Buffer> {
  let own = undoing.id;
  try {
    return await exclusively(writer, async (within) => {
      const { scope } = within;
      const { merge, kept } = await openMerge(within, undoing);
      const into = merge.survivor_id;
      own = into;
      const survivor = (await lockRecords(within, [into])).get(into);
      if (survivor === undefined) throw new AppError("not_found");
      const held = await lockMoved(scope, kept.references, into);
      const restored = new Map(
        (await mergedRecords(scope, merge.id)).map((one) => [idOf(one), one] as const),
      );
      const record = await reduceSurvivor(within, survivor, { merge, kept });
      await closeMerge(scope, merge);
      await moveMergedBack(scope, kept.references, into);
      await restore(within, [...restored.values()], merge);
      await moveReferences(within, held, ({ old }) => ({
        id: old,
        name: restored.get(old)?.body["name"] ?? null,
      }));
      for (const part of participantsIn(within, "merging")) {
        await part.restore(within, { from: into, kept: kept.elsewhere ?? {} });
      }
      return record;
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const merged = await mergedRecords(writer.scope, undoing.mergeId);
    throw await conflictOf(
      writer,
      merged.map(({ body }) => ({ external_id: body["external_id"] ?? null })),
      own,
    );
  }
}

/** A merge with the data needed to undo it. */
interface OpenMerge {
  readonly merge: Merge;
  readonly kept: UndoData;
}

async function openMerge(
  { scope, deps: { clock }, type }: Writer<Tx>,
  { id, mergeId }: UndoInput,
): Promise<OpenMerge> {
  const current = await currentIds(scope, type, [id]);
  const merge = await findMerge(scope, type, mergeId, [id, current.get(id) ?? id]);
  if (merge === undefined) throw new AppError("not_found");
  if (merge.undone_ts !== null) throw refused("This merge was already undone");
  if (merge.kept === null || !isRecent(merge, epochSeconds(clock))) {
    throw refused("A merge can be undone for 30 days, unless a person in it was erased");
  }
  const newer = await findNewer(scope, type, merge);
  if (newer !== undefined) {
    throw refused("A newer merge depends on this one; undo that one first", { merge_id: newer });
  }
  return { merge, kept: merge.kept };
}

const refused = (detail: string, members = {}): AppError =>
  new AppError("conflict", { detail, members });

/** Removes the values that the merge added to the survivor. */
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
  // Keep an SSN that was set after the merge. Masked SSNs can look the same, so compare the encrypted values.
  const keepsSsn = ssn !== undefined && ssn !== kept.ssn;
  if (keepsSsn) values["ssn"] = survivor.body["ssn"] ?? null;
  const body = bodyOf(writer, survivor, { ...draft, values });
  const staysConverted = converted !== undefined && body["converted_to_contact"] === true;
  return writeLocked(writer, survivor, {
    body,
    internal: { ...rest, ...(keepsSsn && { ssn }), ...(staysConverted && { converted }) },
    merged_ids: [[...merge.merged_ids], null],
  });
}

/**
 * Returns the values that the merge added, with current ids in place of old ones. For example, a contact among them may
 * itself have been merged since.
 */
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

/** Restores the bodies of merged records, with a new updated_ts. */
async function restore(
  writer: Writer<Tx>,
  merged: readonly Stored[],
  { survivor_id }: Merge,
): Promise<void> {
  const { scope, type } = writer;
  for (const stored of merged) {
    const references = await currentReferences(scope, type, stored.body);
    const body = { ...withoutStamps(stored.body), ...references };
    // Log all fields, because clients of the change feed have seen the record's removal.
    const fields = { ...loggedFields(type, {}, body), merged_into: [survivor_id, null] as const };
    const next = { id: idOf(stored), body, internal: stored.internal, fields };
    // Bodies can have a megabyte, and each is sent several times, so each gets a separate statement.
    await store(writer, { kind: "restored", records: [{ stored, next }] });
  }
}

/** Replaces references to records that have been merged since with the ids of their survivors. */
async function currentReferences(
  scope: Scope,
  type: RecordType,
  body: JsonObject,
): Promise<Readonly<Record<string, Json>>> {
  const changed: Record<string, Json> = {};
  for (const { field, to } of referenceFields(type)) {
    const id = body[field];
    if (typeof id !== "string") continue;
    const current = (await currentIds(scope, typeOf(scope, to), [id])).get(id);
    if (current !== undefined) changed[field] = current;
  }
  return changed;
}
