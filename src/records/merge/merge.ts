/**
 * `POST /crm/<type>/{id}/merge`: merges duplicates into one record, in one transaction. The record in the path
 * survives. The other records are removed from their table, and their ids redirect to the survivor.
 */

import { withoutLimit } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { Json } from "../../platform/json/index.ts";
import { bodySchema } from "../../platform/schemas/index.ts";
import { lockRecords, exclusively } from "./merge-lock.ts";
import { filledBy, mergedValues } from "./merge-values.ts";
import { insertMerge } from "./merge-log.ts";
import { participantsIn, store, type Stored, type Writer } from "../store/index.ts";
import { currentIds, loggedFields, refuseStale } from "../write/index.ts";
import { type Draft, present, type Values, openSsn, sealSsn } from "../body/index.ts";
import { withoutStamps } from "../schemas/index.ts";
import { lockReferrers, moveReferences } from "./referrers.ts";

/** Maximum number of records that refer to the merged records. All of them are changed in the merge's transaction. */
const REFERRERS_MAX = 5000;

export const MERGE_REQUEST = bodySchema("MergeRequest", {
  ids: {
    type: "array",
    minItems: 1,
    maxItems: 20,
    items: { type: "string", maxLength: 100 },
    description: "The ids of the records to merge into this one, most trusted first.",
  },
});

/** The request body for undoing a merge, which has no members. */
export const UNDO_REQUEST = bodySchema("MergeUndoRequest", {});

/** The records to merge, and the record that they are merged into. */
export interface MergeInput {
  readonly id: string;
  readonly ids: readonly string[];
  /** The versions of the survivor that the caller accepts. */
  readonly ifMatch?: EntityTags | undefined;
}

/** The survivor's body as bytes, and the merge's id. */
export interface Merged {
  readonly record: Buffer;
  readonly mergeId: string;
}

/** Merges records. Throws 404 or 412 for the survivor, 422 for the other records, and 409 if the records conflict. */
export function mergeRecords(writer: Writer, merging: MergeInput): Promise<Merged> {
  // A merge reduces storage, so the quota does not apply.
  const unlimited = { ...writer, scope: withoutLimit(writer.scope) };
  return exclusively(unlimited, async (within) => {
    const { scope, deps, type } = within;
    const { survivor, merged } = await lockParts(within, merging);
    refuseTwoConversions(merged.concat(survivor));
    const into = idOf(survivor);
    const ids = merged.map(idOf);
    const held = await lockReferrers(scope, type.name, ids, REFERRERS_MAX);
    if (held.length > REFERRERS_MAX) {
      const detail = `More than ${REFERRERS_MAX} records refer to these; merge fewer records at once`;
      throw new AppError("conflict", { detail });
    }
    const mergeId = deps.makeId();
    // Remove the merged records first, because two records cannot have the same external id.
    await store(within, {
      kind: "deleted",
      records: merged.map((stored) => ({ id: idOf(stored), stored })),
      action: "merged",
      fields: { merged_into: [null, into] },
    });
    const { record, ...left } = await writeSurvivor(within, { survivor, merged });
    const target = { id: into, name: survivor.body["name"] ?? null };
    const references = await moveReferences(within, held, () => target);
    const elsewhere: Record<string, Json> = {};
    for (const { move } of participantsIn(within, "merging")) {
      Object.assign(elsewhere, await move(within, { into, ids }));
    }
    const merge = {
      id: mergeId,
      survivor_id: into,
      merged_ids: ids,
      merged_ts: epochSeconds(deps.clock),
      undone_ts: null,
      kept: { ...left, references, elsewhere },
    };
    await insertMerge(scope, type, merge, merged);
    return { record, mergeId };
  });
}

export const idOf = ({ body }: Stored): string => String(body["_id"]);

interface MergeParts {
  readonly survivor: Stored;
  readonly merged: readonly Stored[];
}

/**
 * Locks the records in the order of their ids and returns them. A merged record's id is treated as its survivor's id.
 */
async function lockParts(
  writer: Writer<Tx>,
  { id, ids, ifMatch }: MergeInput,
): Promise<MergeParts> {
  const { scope, type } = writer;
  const current = await currentIds(scope, type, [id, ...ids]);
  const [into = id, ...named] = [id, ...ids].map((given) => current.get(given) ?? given);
  const stored = await lockRecords(writer, [into, ...named]);
  const survivor = stored.get(into);
  if (survivor === undefined) throw new AppError("not_found");
  const issues: Issue[] = [];
  const merged: Stored[] = [];
  for (const [at, one] of named.entries()) {
    const found = stored.get(one);
    const sent = ids[at] ?? "";
    if (found === undefined)
      issues.push(wrongId(at, sent, `there is no ${type.name} with this id`));
    else if (one === into && (sent === id || sent === into))
      issues.push(wrongId(at, sent, `${withArticle(type.name)} cannot be merged into itself`));
    else if (one === into)
      issues.push(wrongId(at, sent, `this ${type.name} is already merged into this one`));
    else if (named.indexOf(one) < at)
      issues.push(wrongId(at, sent, `this ${type.name} is listed twice`));
    else merged.push(found);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  await refuseStale(writer, survivor, { ifMatch, asked: id });
  return { survivor, merged };
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

const wrongId = (at: number, input: string, fault: string): Issue => ({
  type: "value_error",
  loc: ["body", "ids", at],
  msg: `Value error, ${fault}`,
  input,
  ctx: { error: {} },
});

/**
 * A lead has only one contact. If two leads were converted to different contacts, it is unclear which contact to keep.
 */
function refuseTwoConversions(records: readonly Stored[]): void {
  const converted = records.filter(({ internal }) => internal.converted !== undefined);
  const contact_ids = [...new Set(converted.map(({ body }) => body["contact_id"] ?? null))];
  if (contact_ids.length < 2) return;
  const detail = "These leads were converted to different contacts; merge the contacts first";
  throw new AppError("conflict", { detail, members: { contact_ids } });
}

interface WrittenSurvivor {
  readonly record: Buffer;
  readonly filled: ReturnType<typeof filledBy>;
  readonly ssn?: string;
}

async function writeSurvivor(
  writer: Writer<Tx>,
  { survivor, merged }: MergeParts,
): Promise<WrittenSurvivor> {
  const { type } = writer;
  const draft = mergedValues(type, survivor, merged);
  const body = bodyOf(writer, survivor, draft);
  const ssn = carriedSsn(writer, { survivor, merged });
  const converted =
    survivor.internal.converted ??
    merged.find(({ internal }) => internal.converted)?.internal.converted;
  const record = await writeLocked(writer, survivor, {
    body,
    internal: {
      ...survivor.internal,
      ...(ssn !== undefined && { ssn }),
      ...(converted !== undefined && { converted }),
    },
    merged_ids: [null, merged.map(idOf)],
  });
  const filled = filledBy(type, survivor.body, body);
  return { record, filled, ...(ssn !== undefined && { ssn }) };
}

/** Builds the survivor's body with the draft's values. The owner and generated values do not change. */
export function bodyOf({ deps, type }: Writer, { body }: Stored, draft: Draft): Values {
  return present(type, draft, {
    id: String(body["_id"]),
    now_s: epochSeconds(deps.clock),
    owner: { userid: String(body["userid"]), user_name: body["user_name"] as string | null },
    createdBy: String(body["created_by_userid"]),
    // Records of types that can be merged do not show the names of other records.
    names: {},
    stored: body,
  });
}

/** Stores the locked survivor, and logs which records were merged into it or restored from it. */
export async function writeLocked(
  writer: Writer<Tx>,
  stored: Stored,
  {
    body,
    internal,
    merged_ids,
  }: {
    readonly body: Values;
    readonly internal: Stored["internal"];
    readonly merged_ids: readonly [Json, Json];
  },
): Promise<Buffer> {
  const fields = { ...loggedFields(writer.type, withoutStamps(stored.body), body), merged_ids };
  const next = { id: idOf(stored), body, internal, fields };
  const records = [{ stored, next }];
  return (await store(writer, { kind: "updated", records, action: "updated" })).body;
}

/** Re-encrypts a merged record's SSN for the survivor, because an SSN is encrypted for one specific record. */
function carriedSsn(
  { scope: { tenantId }, deps: { sealer } }: Writer,
  { survivor, merged }: MergeParts,
): string | undefined {
  if (survivor.internal.ssn !== undefined) return undefined;
  const giver = merged.find(({ internal }) => internal.ssn !== undefined);
  if (giver?.internal.ssn === undefined) return undefined;
  const number = openSsn(sealer, tenantId, idOf(giver), giver.internal.ssn);
  return sealSsn(sealer, tenantId, idOf(survivor), number);
}
