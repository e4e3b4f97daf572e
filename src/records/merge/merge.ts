/**
 * `POST /crm/<type>/{id}/merge`: duplicates become one record, in one transaction. The one in the path
 * remains; the others leave their table, and their ids lead to it from then on.
 */

import { withoutLimit } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { Json } from "../../platform/json/index.ts";
import { bodySchema } from "../../platform/validation/index.ts";
import { holdRecords, inTurn } from "./merge-lock.ts";
import { filledBy, mergedValues } from "./merge-values.ts";
import { insertMerge } from "./merge-log.ts";
import {
  currentIds,
  loggedFields,
  type MergeHook,
  refuseStale,
  removeRecords,
  type Stored,
  updateRecord,
  type Writer,
} from "../write/index.ts";
import {
  type Draft,
  openSsn,
  present,
  sealSsn,
  type Values,
  withoutStamps,
} from "../shape/index.ts";
import { holdReferrers, moveReferences } from "./referrers.ts";

/** How many records may refer to those that are merged: all of them are changed in the transaction. */
const REFERRERS_MAX = 5000;

export const MERGE_REQUEST = bodySchema("MergeRequest", {
  ids: {
    type: "array",
    minItems: 1,
    maxItems: 20,
    items: { type: "string", maxLength: 100 },
    description: "The records that are merged into the one in the path, the most trusted first.",
  },
});

/** Nothing is to be said of an undoing. */
export const UNDO_REQUEST = bodySchema("MergeUndoRequest", {});

/** What is to be merged into which record. */
export interface Merging {
  readonly id: string;
  readonly ids: readonly string[];
  /** The versions of the first that the caller means. */
  readonly ifMatch?: EntityTags | undefined;
}

/** The survivor's body as bytes, and the merge's id. */
export interface Merged {
  readonly record: Buffer;
  readonly mergeId: string;
}

/** Merges records into one. Throws 404 and 412 for it, 422 for the others, 409 where they contradict. */
export function mergeRecords(writer: Writer, merging: Merging): Promise<Merged> {
  // What is stored becomes less.
  const unlimited = { ...writer, scope: withoutLimit(writer.scope) };
  return inTurn(unlimited, async (within) => {
    const { scope, deps, type } = within;
    const { survivor, merged } = await holdParts(within, merging);
    refuseTwoConversions(merged.concat(survivor));
    const into = idOf(survivor);
    const ids = merged.map(idOf);
    const held = await holdReferrers(scope, type.name, ids, REFERRERS_MAX);
    if (held.length > REFERRERS_MAX) {
      const detail = `More than ${REFERRERS_MAX} records refer to these; merge fewer at once`;
      throw new AppError("conflict", { detail });
    }
    const mergeId = deps.makeId();
    // They are removed first: two records cannot have the same external id at once.
    await removeRecords(within, { ids, fields: { merged_into: [null, into] }, action: "merged" });
    const { record, ...left } = await writeSurvivor(within, { survivor, merged });
    const target = { id: into, name: survivor.body["name"] ?? null };
    const references = await moveReferences(within, held, () => target);
    const elsewhere = (await hookOf(within)?.move(within, { into, ids })) ?? null;
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

export const hookOf = ({ deps: { onMerge }, type }: Writer): MergeHook | undefined =>
  onMerge?.types.includes(type.name) === true ? onMerge : undefined;

export const idOf = ({ body }: Stored): string => String(body["_id"]);

interface MergeParts {
  readonly survivor: Stored;
  readonly merged: readonly Stored[];
}

/** The records, held in the order of their ids. An old id stands for what it was merged into. */
async function holdParts(writer: Writer<Tx>, { id, ids, ifMatch }: Merging): Promise<MergeParts> {
  const { scope, type } = writer;
  const current = await currentIds(scope, type, [id, ...ids]);
  const [into = id, ...named] = [id, ...ids].map((given) => current.get(given) ?? given);
  const stored = await holdRecords(writer, [into, ...named]);
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
      issues.push(wrongId(at, sent, `this ${type.name} is merged into this one already`));
    else if (named.indexOf(one) < at)
      issues.push(wrongId(at, sent, `this ${type.name} is named twice`));
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

/** A lead became one contact. Of two that became two contacts it is unknown which one counts. */
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
  const draft = mergedValues(type, survivor, merged, writer.author.country);
  const body = bodyOf(writer, survivor, draft);
  const ssn = carriedSsn(writer, { survivor, merged });
  const converted =
    survivor.internal.converted ??
    merged.find(({ internal }) => internal.converted)?.internal.converted;
  const record = await writeHeld(writer, survivor, {
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

/** The survivor's body with other values; its owner and everything derived as before. */
export function bodyOf({ deps, author, type }: Writer, { body }: Stored, draft: Draft): Values {
  return present(type, draft, {
    id: String(body["_id"]),
    now_s: epochSeconds(deps.clock),
    country: author.country,
    owner: { userid: String(body["userid"]), user_name: body["user_name"] as string | null },
    createdBy: String(body["created_by_userid"]),
    // What can be merged shows the name of no other record.
    names: {},
    stored: body,
  });
}

/** Stores the survivor, which is held, with an entry that names the records that came or went. */
export async function writeHeld(
  writer: Writer<Tx>,
  stored: Stored,
  next: {
    readonly body: Values;
    readonly internal: Stored["internal"];
    readonly merged_ids: readonly [Json, Json];
  },
): Promise<Buffer> {
  const { body, internal, merged_ids } = next;
  const fields = { ...loggedFields(writer.type, withoutStamps(stored.body), body), merged_ids };
  const record = await updateRecord(writer, {
    stored,
    next: { id: idOf(stored), body, internal, fields },
    touch: { updated: true, status: false },
    action: "updated",
  });
  if (record === undefined) throw new Error("A record that is held was changed");
  return record;
}

/** A number is sealed for its record: one that the survivor takes over is sealed for it. */
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
