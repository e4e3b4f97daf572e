/**
 * Creates a record that may be a duplicate. If another record of the type has the same email address or phone number,
 * the request or the tenant's setting determines what happens.
 */

import type { OnDuplicate } from "../../tenants/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { givenIn, type JsonObject } from "../../platform/json/index.ts";
import { changeFound, type Written } from "./change-found.ts";
import { findBody, type Writer } from "../store/index.ts";
import {
  createDraft,
  createRecord,
  secretDraft,
  type TakenValue,
  takenError,
  retryOnConflict,
} from "../write/index.ts";
import { givenLists } from "../body/index.ts";
import { addressKeys, keyText, lockAndFind, type RecordKey } from "./find-by-key.ts";

/** A record to create, and how to handle a duplicate. */
export interface Guarded {
  readonly input: JsonObject;
  readonly onDuplicate: OnDuplicate;
}

/** The existing record, and the key that it shares with the new one. */
export interface Duplicate {
  readonly id: string;
  readonly key: RecordKey;
}

/**
 * Chooses one of several records that share a key. A record with the same email takes precedence over one with the same
 * phone number. Otherwise, the newest record is chosen.
 */
export function duplicateIn(
  found: ReadonlyMap<string, readonly string[]>,
  keys: readonly RecordKey[],
): Duplicate | undefined {
  for (const key of keys) {
    const [id] = found.get(keyText(key)) ?? [];
    if (id !== undefined) return { id, key };
  }
  return undefined;
}

/**
 * Creates a record, or handles the duplicate as `onDuplicate` specifies. Throws 422 for invalid input, and 409 with
 * `existing_id` if duplicates are rejected.
 */
export async function createGuarded(writer: Writer, guarded: Guarded): Promise<Written> {
  const { input, onDuplicate } = guarded;
  const keys = onDuplicate === "allow" ? [] : addressKeys(input, writer.author.country);
  if (keys.length === 0) {
    return { bytes: await createRecord(writer, input), result: "created" };
  }
  return retryOnConflict(writer, { isRetried: false, values: { ...input } }, (within) =>
    createOnce(within, { ...guarded, keys }),
  );
}

async function createOnce(
  writer: Writer<Tx>,
  { input, onDuplicate, keys }: Guarded & { readonly keys: readonly RecordKey[] },
): Promise<Written | undefined> {
  const { scope, type } = writer;
  const duplicate = duplicateIn(await lockAndFind(scope, type, { held: keys }), keys);
  if (duplicate === undefined) {
    return { bytes: await createDraft(writer, secretDraft(writer, input)), result: "created" };
  }
  if (onDuplicate === "reject") throw takenError([takenBy(duplicate)]);
  return writeDuplicate(writer, duplicate, { input, onDuplicate });
}

/**
 * Changes the existing record if `onDuplicate` requires it, and returns it. Returns undefined if it no longer exists.
 * Throws 422, and the database's error (23505) if a value belongs to another record.
 */
export async function writeDuplicate(
  writer: Writer<Tx>,
  duplicate: Duplicate,
  { input, onDuplicate }: Guarded,
): Promise<Written | undefined> {
  if (onDuplicate === "update") {
    // In a create request, null means "not given", so it does not clear fields of the existing record.
    const given = givenLists(writer.type, givenIn(input));
    return changeFound(writer, { ...duplicate, input: given });
  }
  const bytes = await findBody(writer.scope, writer.type, duplicate.id);
  return bytes === undefined ? undefined : { bytes, result: "existing" };
}

export const takenBy = ({ id, key: { kind, value } }: Duplicate): TakenValue => ({
  name: kind,
  value,
  existing_id: id,
});
