/** Changes a record: input → differences → draft → body → one statement. */

import type { ChangedFields } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { forReads } from "../../platform/database/index.ts";
import { ChangedByOthers, retry, isDuplicate } from "../../platform/failed-statements/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { sameJson, type JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../types/index.ts";
import { type Internal, patchInput, present, type Values, withLists } from "../body/index.ts";
import { readOnlyNames, withoutStamps } from "../schemas/index.ts";
import { changesOf, type PatchInput } from "./changes.ts";
import { conflictOf, hasUnique } from "./conflicts.ts";
import { findByAnyId } from "./old-ids.ts";
import { ownerOf } from "./owners.ts";
import { findNames, namesIn, referencesOf, withCurrentIds, withKnownIds } from "./references.ts";
import { refuseStale } from "./precondition.ts";
import { isFollowed, queueRename } from "./renames.ts";
import {
  store,
  findStored,
  type Stored,
  inTransaction,
  isWriterInTx,
  type Writer,
} from "../store/index.ts";
import { loggedFields } from "./write.ts";

/** How a PATCH is retried if other requests change the same record. */
const RETRY = {
  isRetriable: (error: unknown) => error instanceof ChangedByOthers,
  attempts: 12,
};
const LOCKED_FROM = 4;

/** The record to change and the input. `ifMatch` lists the versions that the caller accepts. */
export interface Patch {
  readonly id: string;
  readonly input: JsonObject;
  readonly ifMatch?: EntityTags | undefined;
}

/** Returns the input by field name, without read-only members or members that mean "not given". */
export function meaningfulInput(type: RecordType, input: JsonObject): Values {
  return patchInput(type, input, readOnlyNames(type));
}

/**
 * Changes a record with checked input and returns its body as bytes. Throws 404, 409 and 422, and 412 if the record is
 * not at a version in `ifMatch`.
 */
export async function patchRecord(writer: Writer, { id, input, ifMatch }: Patch): Promise<Buffer> {
  const { type } = writer;
  const sent = meaningfulInput(type, input);
  // The id in the request may belong to a record that was merged into this one.
  let own = id;
  const patchOnce = async (within: Writer): Promise<Buffer> => {
    const asking = { ...within.scope, db: forReads(within.scope.db) };
    const found = await findByAnyId(asking, type, id, (at) =>
      findStored(asking, type, at, { lock: isWriterInTx(within) }),
    );
    if (found === undefined) throw new AppError("not_found");
    own = String(found.body["_id"]);
    await refuseStale(within, found, { ifMatch, asked: id });
    const done = await patchStored(within, { found, sent });
    return done === "unchanged" ? found.bytes : done;
  };
  const attempt = (number: number): Promise<Buffer> => {
    // After several attempts, use a transaction that waits for the record's lock.
    const isPart = isWriterInTx(writer)
      ? hasUnique(type, sent)
      : number >= LOCKED_FROM || affectsOthers(writer, sent);
    return isPart ? inTransaction(writer, patchOnce) : patchOnce(writer);
  };
  try {
    return await retry(attempt, RETRY);
  } catch (error) {
    throw isDuplicate(error) ? await conflictOf(writer, [sent], own) : error;
  }
}

/** Whether a change reads or affects other records. If so, it needs a transaction. */
const affectsOthers = ({ scope, type }: Writer, sent: Values): boolean =>
  Object.keys(sent).some(
    (name) =>
      type.fields[name]?.kind === "reference" ||
      name === type.subject?.type ||
      name === type.subject?.id ||
      (name === "name" && isFollowed(scope, type)),
  );

/**
 * Changes a record that was found. Throws ChangedByOthers if another write has changed it in the meantime, and 422, also
 * for references to missing records.
 */
export async function patchStored(
  writer: Writer,
  { found, sent: given, closed_ts }: PatchInput,
): Promise<Buffer | "unchanged"> {
  const { scope, deps, author, type } = writer;
  const { country } = author;
  const current = await withCurrentIds(scope, type, withAssignee(given, found.body), found.body);
  const sent = withLists(type, current, country, found.body);
  const changes = changesOf(writer, { found, sent, closed_ts });
  if (changes === undefined) return "unchanged";
  const { draft, internal } = changes;
  const id = String(found.body["_id"]);
  const references = referencesOf(type, draft.values);
  // Lock the referenced records. If they were merged, lock the survivors.
  const known = isWriterInTx(writer) ? await findNames(writer.scope, references) : undefined;
  const names = known === undefined ? storedNames(type, found) : namesIn(known, references);
  const values = known === undefined ? draft.values : withKnownIds(known, type, draft.values);
  const owner =
    "userid" in sent
      ? await ownerOf(scope, draft, author)
      : { userid: String(found.body["userid"]), user_name: found.body["user_name"] as string };
  const body = present(
    type,
    { ...draft, values },
    {
      id,
      now_s: epochSeconds(deps.clock),
      owner,
      createdBy: String(found.body["created_by_userid"]),
      names,
      // If a close date is given, it is used even if the deal is already closed.
      stored: closed_ts === undefined ? found.body : { ...found.body, close_date: null },
    },
  );
  if (isStored(found, { body, internal })) return "unchanged";
  const { statusField } = type;
  if (isWriterInTx(writer) && isFollowed(scope, type) && body["name"] !== found.body["name"]) {
    await queueRename(writer, id);
  }
  const next = { id, body, internal, fields: patchedFields(type, found, { body, internal }) };
  const hasNewStatus = body[statusField] !== found.body[statusField];
  const records = [{ stored: found, next }];
  const stored = await store(writer, { kind: "updated", records, action: "updated", hasNewStatus });
  return stored.body;
}

/** Returns the input with the default assignee of a task, the user who created it, if the input clears the assignee. */
const withAssignee = (sent: Values, stored: JsonObject): Values =>
  sent["userid"] === null ? { ...sent, userid: stored["created_by_userid"] ?? null } : sent;

/**
 * Whether a change would store what is already stored. For example, the input sets a field to the value that it has by
 * default.
 */
const isStored = (
  stored: Stored,
  next: { readonly body: Values; readonly internal: Internal },
): boolean =>
  sameJson(next.body, withoutStamps(stored.body)) &&
  sameJson(next.internal as JsonObject, stored.internal as JsonObject);

/** Returns the differences between the stored body and the new one, without the stamps. */
function patchedFields(
  type: RecordType,
  before: Stored,
  after: { readonly body: Values; readonly internal: Internal },
): ChangedFields {
  const kept = Object.entries(before.body).filter(([name]) => name in after.body);
  const fields = loggedFields(type, Object.fromEntries(kept), after.body);
  // Log a changed SSN even if the masked values are the same.
  return before.internal.ssn === after.internal.ssn
    ? fields
    : { ...fields, ssn: [before.body["ssn"] ?? null, after.body["ssn"] ?? null] };
}

const storedNames = (type: RecordType, { body }: Stored): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(type.derived).flatMap(([name, derived]) =>
      derived.kind === "name_of" ? [[derived.reference, body[name] as string | null]] : [],
    ),
  );
