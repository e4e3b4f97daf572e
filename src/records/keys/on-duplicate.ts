/**
 * Creating somebody who may be known already: a record of the same type with the same e-mail address
 * or telephone number (D4.3) is a duplicate, and the caller or the tenant says what becomes of it.
 */

import type { OnDuplicate } from "../../access/index.ts";
import type { Scope } from "../../audit/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { givenIn, type JsonObject } from "../../platform/json/index.ts";
import { changeFound, type Written } from "./change-found.ts";
import {
  type Author,
  conflictOf,
  createDraft,
  createRecord,
  findBody,
  secretDraft,
  type Taken,
  takenError,
  retryOnConflict,
  type WriteDeps,
} from "../write/index.ts";
import type { RecordType } from "../types/index.ts";
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

/** Of several records with one of the keys: an e-mail address beats a number, then the newest (D8.3). */
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
export async function createGuarded(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  guarded: Guarded,
): Promise<Written> {
  const { input, onDuplicate } = guarded;
  const keys = onDuplicate === "allow" ? [] : addressKeys(input, author.country);
  if (keys.length === 0) {
    const bytes = await createRecord(scope, deps, author, type, input);
    return { bytes, result: "created" };
  }
  const conflict = () => conflictOf(scope, type, [{ ...input }]);
  return retryOnConflict(scope, { looksAgain: false, conflict }, (within) =>
    createOnce(within, deps, author, type, { ...guarded, keys }),
  );
}

async function createOnce(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { input, onDuplicate, keys }: Guarded & { readonly keys: readonly RecordKey[] },
): Promise<Written | undefined> {
  const duplicate = duplicateIn(await lockAndFind(scope, type, { held: keys }), keys);
  if (duplicate === undefined) {
    const bytes = await createDraft(
      scope,
      deps,
      author,
      type,
      secretDraft(type, input, author.country),
    );
    return { bytes, result: "created" };
  }
  if (onDuplicate === "reject") throw takenError([takenBy(duplicate)]);
  return meetDuplicate(scope, deps, author, type, { duplicate, input, onDuplicate });
}

/** Somebody who is known, and how it is met. */
interface Meeting {
  readonly duplicate: Duplicate;
  readonly input: JsonObject;
  readonly onDuplicate: OnDuplicate;
}

/**
 * Answers the record that is there, changed or as it is; undefined where it is there no more. Throws
 * 422, and what the database says of a value that is another's (23505).
 */
export async function meetDuplicate(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { duplicate, input, onDuplicate }: Meeting,
): Promise<Written | undefined> {
  if (onDuplicate === "update") {
    // In the body of a creation null says nothing (D1.8), so it clears nothing here either.
    const given = givenLists(type, givenIn(input));
    return changeFound(scope, deps, author, type, { ...duplicate, input: given });
  }
  const bytes = await findBody(scope, type, duplicate.id);
  return bytes === undefined ? undefined : { bytes, result: "existing" };
}

export const takenBy = ({ id, key: { kind, value } }: Duplicate): Taken => ({
  name: kind,
  value,
  existing_id: id,
});
