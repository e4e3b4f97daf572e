/** Compares the input of a PATCH with the stored record. */

import { ValidationError } from "../../platform/errors/index.ts";
import { frozenIssue } from "../../platform/validation/index.ts";
import { sameJson, type Json, type JsonObject } from "../../platform/json/index.ts";
import { isMasked } from "../kinds/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  computedFields,
  type Draft,
  type Internal,
  nameParts,
  patchedDraft,
  storedDraft,
  type Values,
  openSsn,
  sealSsn,
  spellSsn,
} from "../body/index.ts";
import { conditionFaults, dateFaults, sumFaults, frozenNames } from "../schemas/index.ts";
import type { Stored, Writer } from "../store/index.ts";
import { closedAt, refuseFaults } from "./write.ts";

/** A record that was found, and the PATCH input. */
export interface PatchInput {
  readonly found: Stored;
  readonly sent: Values;
  /** The time when a deal was closed, in epoch seconds, if an import provides it. */
  readonly closed_ts?: number | undefined;
}

/** Returns the new draft and internal data, or undefined if nothing differs. Throws 422. */
export function changesOf(
  writer: Writer,
  { found: stored, sent, closed_ts }: PatchInput,
): { readonly draft: Draft; readonly internal: Internal } | undefined {
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
    ...sumFaults(type, draft.values, changedSums(type, before, draft)),
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
 * Returns the parts of a new name that are stored as sent. If they equal the parts that were derived from the old name,
 * the caller has sent back a record in which only the name is new, so they are derived again.
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

/** Returns the fields that contain another sum than before. */
const changedSums = (type: RecordType, before: Draft, { values, stands }: Draft): string[] =>
  Object.keys(type.follows ?? {}).filter(
    (name) => !stands.includes(name) && values[name] !== before.values[name],
  );

/** Whether a sent value differs from the stored one after normalization. */
function differs(type: RecordType, before: Draft, name: string, value: Json): boolean {
  // null resets an explicitly set value to the computed one.
  if (value === null && computedFields(type).includes(name)) return before.stands.includes(name);
  const { values } = patchedDraft(type, { values: {}, stands: [] }, { [name]: value });
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
