/** Changes a record: input → differences → draft → body → one statement. */

import type { ChangedFields } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { ChangedByOthers, forReads, isDuplicate, retry } from "../../platform/database/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import { AppError, ValidationError } from "../../platform/errors/index.ts";
import { frozenIssue } from "../../platform/validation/index.ts";
import { sameJson, type Json, type JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  conditionFaults,
  dateFaults,
  type Draft,
  frozenNames,
  type Internal,
  isMasked,
  nameParts,
  openSsn,
  patchedDraft,
  patchInput,
  present,
  readOnlyNames,
  sealSsn,
  spellSsn,
  storedDraft,
  type Values,
  withLists,
} from "../shape/index.ts";
import { findByAnyId } from "./old-ids.ts";
import { ownerOf } from "./owners.ts";
import { findNames, namesIn, referencesOf, withCurrentIds, withKnownIds } from "./references.ts";
import { refuseStale } from "./precondition.ts";
import { isFollowed, queueRename } from "./renames.ts";
import { updateRecord } from "./statements.ts";
import { findStored, type Stored } from "./find-record.ts";
import { closedAt, conflictOf, hasUnique, loggedFields, refuseFaults } from "./write.ts";
import { inTransaction, isWriterInTx, type Writer } from "./writer.ts";

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
  const patchOnce = async (within: Writer): Promise<Buffer | undefined> => {
    const asking = { ...within.scope, db: forReads(within.scope.db) };
    const found = await findByAnyId(asking, type, id, (at) =>
      findStored(asking, type, at, { lock: isWriterInTx(within) }),
    );
    if (found === undefined) throw new AppError("not_found");
    await refuseStale(within, found, { ifMatch, asked: id });
    const done = await patchStored(within, { found, sent });
    return done === "unchanged" ? found.bytes : done;
  };
  const attempt = async (number: number): Promise<Buffer> => {
    // After several attempts, use a transaction that waits for the record's lock.
    const isPart = isWriterInTx(writer)
      ? hasUnique(type, sent)
      : number >= LOCKED_FROM || affectsOthers(type, sent);
    const bytes = await (isPart ? inTransaction(writer, patchOnce) : patchOnce(writer));
    if (bytes === undefined) throw new ChangedByOthers();
    return bytes;
  };
  try {
    return await retry(attempt, RETRY);
  } catch (error) {
    throw isDuplicate(error) ? await conflictOf(writer, [sent]) : error;
  }
}

/** Whether a change reads or affects other records. If so, it needs a transaction. */
const affectsOthers = (type: RecordType, sent: Values): boolean =>
  Object.keys(sent).some(
    (name) =>
      type.fields[name]?.kind === "reference" ||
      name === type.subject?.type ||
      name === type.subject?.id ||
      (name === "name" && isFollowed(type)),
  );

/** A record that was found, and the PATCH input. */
export interface PatchInput {
  readonly found: Stored;
  readonly sent: Values;
  /** The time when a deal was closed, in epoch seconds, if an import provides it. */
  readonly closed_ts?: number | undefined;
}

/**
 * Changes a record that was found. Returns undefined if another write has changed it in the meantime. Throws 422, also
 * for references to missing records.
 */
export async function patchStored(
  writer: Writer,
  { found, sent: given, closed_ts }: PatchInput,
): Promise<Buffer | "unchanged" | undefined> {
  const { scope, deps, author, type } = writer;
  const { country } = author;
  const current = await withCurrentIds(scope, type, given, found.body);
  const sent = withLists(type, current, country, found.body);
  const changes = await changesOf(writer, { found, sent, closed_ts });
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
      country,
      owner,
      createdBy: String(found.body["created_by_userid"]),
      names,
      // If a close date is given, it is used even if the deal is already closed.
      stored: closed_ts === undefined ? found.body : { ...found.body, close_date: null },
    },
  );
  const { statusField } = type;
  if (isWriterInTx(writer) && isFollowed(type) && body["name"] !== found.body["name"]) {
    await queueRename(writer, id);
  }
  return updateRecord(writer, {
    stored: found,
    next: { id, body, internal, fields: patchedFields(type, found, { body, internal }) },
    touch: { updated: true, status: body[statusField] !== found.body[statusField] },
    action: "updated",
  });
}

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

/** Returns the new draft and internal data, or undefined if nothing differs. */
async function changesOf(
  writer: Writer,
  { found: stored, sent, closed_ts }: PatchInput,
): Promise<{ draft: Draft; internal: Internal } | undefined> {
  const { type } = writer;
  refuseFrozen(type, stored.body, sent);
  const { ssn: secret, ...plain } = sent;
  const seal = "ssn" in sent ? newSeal(writer, stored, secret ?? null) : undefined;
  const before = storedDraft(type, stored.body, stored.internal);
  const differing = differingValues(type, before, plain);
  const isMoved = closed_ts !== undefined && before.values["close_date"] !== closed_ts;
  if (Object.keys(differing).length === 0 && seal === undefined && !isMoved) return undefined;
  const patched = patchedDraft(type, before, {
    ...differing,
    ...(seal !== undefined && { ssn: secret ?? null }),
  });
  const draft = closedAt(patched, closed_ts);
  refuseFaults(draft.values, [
    ...dateFaults(draft.values),
    // Check only changed values. A value that is sent back unchanged is cleared if another change rules it out.
    ...conditionFaults(type, draft.values, Object.keys(differing)),
  ]);
  const { ssn: sealed, stands: _, ...rest } = stored.internal;
  const kept = seal === undefined ? sealed : (seal ?? undefined);
  return {
    draft,
    internal: {
      ...rest,
      ...(kept !== undefined && { ssn: kept }),
      ...(draft.stands.length > 0 && { stands: draft.stands }),
    },
  };
}

/** Returns the sent values that differ from the stored ones, and the parts of a name that were sent with a new name. */
function differingValues(type: RecordType, before: Draft, sent: Values): Values {
  const differing = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => differs(type, before, name, value)),
  );
  return "name" in differing ? { ...differing, ...sentParts(type, before, sent) } : differing;
}

/**
 * Returns the parts of a new name that are stored as sent. If the parts are the same as those that were derived from the
 * old name, the caller has sent back a record in which only the name is new, so they are derived again.
 */
function sentParts(type: RecordType, { values, stands }: Draft, sent: Values): Values {
  const parts = nameParts(type);
  const isSentBack = parts.every((part) => part in sent && sent[part] === values[part]);
  return Object.fromEntries(
    parts.flatMap((part) =>
      part in sent && (!isSentBack || stands.includes(part)) ? [[part, sent[part] ?? null]] : [],
    ),
  );
}

/** Whether a sent value differs from the stored one after normalization. */
function differs(type: RecordType, before: Draft, name: string, value: Json): boolean {
  const { values } = patchedDraft(type, { values: {}, stands: [] }, { [name]: value });
  // null resets an explicitly set value to the computed one.
  if (value === null && before.stands.includes(name)) return true;
  return !sameJson(values[name] ?? null, before.values[name] ?? null);
}

/** Returns the newly encrypted number, null to clear it, or undefined if it is unchanged. */
function newSeal(
  { scope: { tenantId }, deps: { sealer } }: Writer,
  { body, internal }: Stored,
  sent: Json,
): string | null | undefined {
  const id = String(body["_id"]);
  if (sent === null) return internal.ssn === undefined ? undefined : null;
  const text = String(sent);
  if (isMasked(text)) {
    if (text === body["ssn"]) return undefined;
    throw new ValidationError([frozenIssue("ssn", sent)]);
  }
  const same =
    internal.ssn !== undefined && openSsn(sealer, tenantId, id, internal.ssn) === spellSsn(text);
  return same ? undefined : sealSsn(sealer, tenantId, id, text);
}

/** Rejects changes to fields that can be set only on create. */
function refuseFrozen(type: RecordType, body: JsonObject, sent: Values): void {
  const issues = frozenNames(type, "patch").flatMap((name) => {
    if (!(name in sent) || sameJson(sent[name], body[name] ?? null)) return [];
    return [frozenIssue(name, sent[name] ?? null)];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  for (const name of frozenNames(type, "patch")) delete sent[name];
}
