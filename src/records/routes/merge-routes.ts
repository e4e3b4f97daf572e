/**
 * Operations on duplicates: list possible duplicates, merge, list merges, and undo a merge. Lists require the permission
 * `records:read`, and merging and its undo `records:write`.
 */

import { scopeOf } from "../../access/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { idIn } from "../../platform/ids/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { type BodyShape, operation } from "../../platform/operations/index.ts";
import { linkNext, PAGE_PARAMETERS } from "../../platform/paging/index.ts";
import type { Typed } from "../../platform/schemas/index.ts";
import { aNoun, type RecordType } from "../types/index.ts";
import { sendGroups } from "../list/index.ts";
import {
  duplicatesJson,
  duplicateSchema,
  findDuplicates,
  listMerges,
  type MERGE_REQUEST,
  mergeRecords,
  undoMerge,
} from "../merge/index.ts";
import { findId } from "../store/index.ts";
import { etagOf, findByAnyId } from "../write/index.ts";
import {
  answering,
  idPath,
  nounOf,
  oneUrl,
  reading,
  recordRef,
  typeFor,
  wordOf,
  writerOf,
  writing,
  type RecordOperation,
  type RecordsDeps,
} from "./record-operation.ts";

export interface MergeShapes {
  readonly merge: BodyShape<Typed<typeof MERGE_REQUEST>>;
  readonly undo: BodyShape;
}

/** Returns the operations for a type that can have duplicates. */
export const mergeOperations = (
  deps: RecordsDeps,
  type: RecordType,
  { merge, undo }: MergeShapes,
): readonly RecordOperation[] => [
  duplicatesOf(deps, type),
  mergeOf(deps, type, merge),
  mergesOf(deps, type),
  undoOf(deps, type, undo),
];

const MERGE_ID = { kind: "text", max: 100, description: "The id of the merge." } as const;

const duplicatesOf = (deps: RecordsDeps, type: RecordType): RecordOperation =>
  operation({
    ...reading(type),
    method: "GET",
    url: `${oneUrl(type)}/duplicates`,
    id: `list_${nounOf(type.writePath)}_duplicates`,
    path: idPath(type),
    summary: `List possible duplicates of ${aNoun(type.name)}`,
    description: `Lists ${type.table} that share an email or a phone number with this one, the most similar first.`,
    answer: { type: "array", items: duplicateSchema(type, recordRef(type)) },
    answerHeaders: {
      "X-Too-Common":
        "`email`, `phone` or both. Too many records share this value, so it was not compared.",
    },
    run: async ({ caller, path, reply }) => {
      const scope = scopeOf(deps.db.lists, caller);
      const tenantType = typeFor(caller, type);
      const find = (id: string) => findId(scope, tenantType, id);
      const id = await findByAnyId(scope, tenantType, idIn(path, type.idName), find);
      if (id === undefined) throw new AppError("not_found");
      const { groups, tooCommon } = await findDuplicates(scope, tenantType, id);
      if (tooCommon.length > 0) reply.header("x-too-common", tooCommon.join(", "));
      const read = (group: (typeof groups)[number]) => duplicatesJson(scope, tenantType, group);
      return sendGroups(groups, read, { reply, stall_ms: deps.stall_ms });
    },
  });

const mergeOf = (
  deps: RecordsDeps,
  type: RecordType,
  body: MergeShapes["merge"],
): RecordOperation =>
  operation({
    ...writing(type),
    ...answering(type),
    method: "POST",
    url: `${oneUrl(type)}/merge`,
    id: `merge_${wordOf(type.writePath)}`,
    path: idPath(type),
    summary: `Merge ${type.table}`,
    description:
      `Merges other ${type.table} into this one. After that, their ids refer to the surviving record. ` +
      "To undo the merge within 30 days, use the id in `X-Merge-Id`.",
    body,
    answerHeaders: { "X-Merge-Id": "The id of the merge. Use it to undo the merge." },
    failures: { 409: "The records contradict each other, or too many records refer to them." },
    conditions: ["if-match"],
    run: async ({ caller, path, body: { ids }, conditions, write, reply }) => {
      const id = idIn(path, type.idName);
      return write(async (db) => {
        const ifMatch = conditions["if-match"];
        const merging = { id, ids, ifMatch };
        const writer = writerOf(db, caller, deps, type);
        const { record, mergeId } = await mergeRecords(writer, merging);
        reply.header("etag", etagOf(record, id)).header("x-merge-id", mergeId);
        return record;
      });
    },
  });

const mergesOf = (deps: RecordsDeps, type: RecordType): RecordOperation =>
  operation({
    ...reading(type),
    method: "GET",
    url: `${oneUrl(type)}/merges`,
    id: `list_${nounOf(type.writePath)}_merges`,
    path: idPath(type),
    summary: `List the merges into ${aNoun(type.name)}`,
    description: `Lists the merges into this ${type.name}, newest first.`,
    query: PAGE_PARAMETERS,
    answer: { type: "array", items: { $ref: "Merge#" } },
    run: async ({ caller, path, query, request, reply }) => {
      const scope = scopeOf(deps.db.sql, caller);
      const given = idIn(path, type.idName);
      const tenantType = typeFor(caller, type);
      const id = await findByAnyId(scope, tenantType, given, (at) => findId(scope, tenantType, at));
      if (id === undefined) throw new AppError("not_found");
      const asked = { type: tenantType, survivorIds: [id, given], now_s: epochSeconds(deps.clock) };
      const { entries, next } = await listMerges(scope, asked, query);
      linkNext(request, reply, next);
      return entries;
    },
  });

const undoOf = (deps: RecordsDeps, type: RecordType, body: BodyShape): RecordOperation =>
  operation({
    ...writing(type),
    ...answering(type),
    method: "POST",
    url: `${oneUrl(type)}/merges/:merge_id/undo`,
    id: `undo_${nounOf(type.writePath)}_merge`,
    path: { ...idPath(type), merge_id: MERGE_ID },
    body,
    bodyOptional: true,
    summary: `Undo a merge of ${type.table}`,
    description: `Restores the merged ${type.table} under their original ids. You can do this within 30 days of the merge.`,
    failures: {
      409:
        "The merge has already been undone or is too old, a newer merge must be undone first, " +
        "or an `external_id` is in use.",
    },
    run: async ({ caller, path, write, reply }) => {
      const undoing = { id: idIn(path, type.idName), mergeId: idIn(path, "merge_id") };
      return write(async (db) => {
        const record = await undoMerge(writerOf(db, caller, deps, type), undoing);
        reply.header("etag", etagOf(record, undoing.id));
        return record;
      });
    },
  });
