/** The operations on records that are the same: finding them, merging, what was merged, undoing it. */

import { scopeOf } from "../../access/index.ts";
import { epochSeconds, idIn } from "../../platform/clock/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { BodyShape } from "../../platform/operations/index.ts";
import { linkNext, PAGE_PARAMETERS } from "../../platform/validation/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  duplicateSchema,
  findDuplicates,
  listMerges,
  mergeRecords,
  undoMerge,
} from "../merge/index.ts";
import { etagOf, findByAnyId, findId } from "../write/index.ts";
import {
  idPath,
  recordRef,
  singular,
  wordOf,
  writerOf,
  type RecordOperation,
  type RecordsDeps,
} from "./operation-parts.ts";

/** The operations of a type whose records can be the same. */
export function mergeOperations(
  deps: RecordsDeps,
  type: RecordType,
  shapes: { readonly merge: BodyShape; readonly undo: BodyShape },
): readonly RecordOperation[] {
  const url = `${type.writePath}/:${type.idName}`;
  const common = { tag: type.table, path: idPath(type.idName, type) };
  const word = singular(wordOf(type.writePath));
  return [
    {
      ...common,
      ...duplicatesOf(deps, type),
      url: `${url}/duplicates`,
      id: `list_${word}_duplicates`,
    },
    {
      ...common,
      ...mergeOf(deps, type, shapes.merge),
      url: `${url}/merge`,
      id: `merge_${wordOf(type.writePath)}`,
    },
    { ...common, ...mergesOf(deps, type), url: `${url}/merges`, id: `list_${word}_merges` },
    {
      ...common,
      ...undoOf(deps, type),
      body: shapes.undo,
      bodyOptional: true,
      url: `${url}/merges/:merge_id/undo`,
      id: `undo_${word}_merge`,
      path: {
        ...common.path,
        merge_id: { kind: "text", max: 100, description: "The merge's id." },
      },
    },
  ];
}

/** What the four operations have of their own. */
type Own = Omit<RecordOperation, "url" | "id" | "tag">;

const duplicatesOf = (deps: RecordsDeps, type: RecordType): Own => ({
  method: "GET",
  summary: `Find what may be the same ${type.name}, the most alike first`,
  permission: "records:read",
  query: {},
  answer: { type: "array", items: duplicateSchema(type, recordRef(type)) },
  answerHeaders: {
    "X-Too-Common": "`email`, `phone` or both: so many share it that it says nothing.",
  },
  run: async ({ caller, path, reply }) => {
    const scope = scopeOf(deps.db.lists, caller);
    const find = (id: string) => findId(scope, type, id);
    const id = await findByAnyId(scope, type, idIn(path, type.idName), find);
    if (id === undefined) throw new AppError("not_found");
    const { found, tooCommon } = await findDuplicates(scope, type, id);
    if (tooCommon.length > 0) reply.header("x-too-common", tooCommon.join(", "));
    return found;
  },
});

const mergeOf = (deps: RecordsDeps, type: RecordType, body: BodyShape): Own => ({
  method: "POST",
  summary: `Merge others into this ${type.name}, whose id they lead to from then on; X-Merge-Id names the merge`,
  permission: "records:write",
  body,
  answer: recordRef(type),
  answersRecord: true,
  answerHeaders: { "X-Merge-Id": "The merge, by which it can be undone." },
  failures: { 409: "The records contradict each other, or too many refer to them" },
  conditions: ["if-match"],
  run: async ({ caller, path, body: { ids }, conditions, write, reply }) => {
    const id = idIn(path, type.idName);
    return write(async (db) => {
      const ifMatch = conditions["if-match"];
      const merging = { id, ids: ids as readonly string[], ifMatch };
      const writer = writerOf(db, caller, deps, type);
      const { record, mergeId } = await mergeRecords(writer, merging);
      reply.header("etag", etagOf(record, id)).header("x-merge-id", mergeId);
      return record;
    });
  },
});

const mergesOf = (deps: RecordsDeps, type: RecordType): Own => ({
  method: "GET",
  summary: `What was merged into this ${type.name}, newest first`,
  permission: "records:read",
  query: PAGE_PARAMETERS,
  answer: { type: "array", items: { $ref: "Merge#" } },
  run: async ({ caller, path, query, request, reply }) => {
    const scope = scopeOf(deps.db.sql, caller);
    const given = idIn(path, type.idName);
    const id = await findByAnyId(scope, type, given, (at) => findId(scope, type, at));
    if (id === undefined) throw new AppError("not_found");
    const asked = { type, survivorIds: [id, given], now_s: epochSeconds(deps.clock) };
    const { entries, next } = await listMerges(scope, asked, query);
    linkNext(request, reply, next);
    return entries;
  },
});

const undoOf = (deps: RecordsDeps, type: RecordType): Own => ({
  method: "POST",
  summary: `Undo a merge within 30 days: the merged records are there again`,
  permission: "records:write",
  answer: recordRef(type),
  answersRecord: true,
  failures: {
    409: "Undone already, too old, a newer merge stands on it, or an external_id is taken",
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
