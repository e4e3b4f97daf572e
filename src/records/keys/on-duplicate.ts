/**
 * Creating a record that may be a duplicate: if another one of the type has the same email address or
 * telephone number, the caller or the tenant decides what happens.
 */

import type { OnDuplicate } from "../../access/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { givenIn, type JsonObject } from "../../platform/json/index.ts";
import { changeFound, type Written } from "./change-found.ts";
import {
  createDraft,
  createRecord,
  findBody,
  secretDraft,
  type Taken,
  takenError,
  retryOnConflict,
  type Writer,
} from "../write/index.ts";
import { givenLists } from "../shape/index.ts";
import { addressKeys, keyText, lockAndFind, type RecordKey } from "./find-by-key.ts";

/** A creation, and what it does where there is a duplicate. */
export interface Guarded {
  readonly input: JsonObject;
  readonly onDuplicate: OnDuplicate;
}

/** The record that is a duplicate, and by what. */
export interface Duplicate {
  readonly id: string;
  readonly key: RecordKey;
}

/** Of several records with one of the keys: an email address beats a number, then the newest. */
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

/** Creates a record unless it is a duplicate. Throws 409 with `existing_id`, and 422. */
export async function createGuarded(writer: Writer, guarded: Guarded): Promise<Written> {
  const { input, onDuplicate } = guarded;
  const keys = onDuplicate === "allow" ? [] : addressKeys(input, writer.author.country);
  if (keys.length === 0) {
    return { bytes: await createRecord(writer, input), result: "created" };
  }
  return retryOnConflict(writer, { looksAgain: false, values: { ...input } }, (within) =>
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
 * Returns the record that exists, changed or as it is; undefined if it is gone. Throws 422, and the
 * database's error for a value that is another record's (23505).
 */
export async function writeDuplicate(
  writer: Writer<Tx>,
  duplicate: Duplicate,
  { input, onDuplicate }: Guarded,
): Promise<Written | undefined> {
  if (onDuplicate === "update") {
    // In the body of a creation null says nothing, so it clears nothing here either.
    const given = givenLists(writer.type, givenIn(input));
    return changeFound(writer, { ...duplicate, input: given });
  }
  const bytes = await findBody(writer.scope, writer.type, duplicate.id);
  return bytes === undefined ? undefined : { bytes, result: "existing" };
}

export const takenBy = ({ id, key: { kind, value } }: Duplicate): Taken => ({
  name: kind,
  value,
  existing_id: id,
});
