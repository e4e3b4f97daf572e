/** Changing a record that was found by a key, and what a write by key came to. */

import { inOrder, type Tx } from "../../platform/database/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { isOtherEntry, type Values } from "../shape/index.ts";
import { findByKeys, keyText, mainKeys, type RecordKey } from "./find-by-key.ts";
import {
  findStored,
  meaningfulInput,
  patchStored,
  refuseStale,
  type Writer,
} from "../write/index.ts";

/** What a write by key did, as in `X-Result`. */
export type WriteResult = "created" | "updated" | "unchanged" | "existing";

export interface Written {
  /** The record as it is stored now. */
  readonly bytes: Buffer;
  readonly result: WriteResult;
}

/** The record that a key found, and what is sent for it. */
export interface Found {
  readonly id: string;
  readonly key: RecordKey;
  readonly input: JsonObject;
  readonly ifMatch?: EntityTags | undefined;
}

/**
 * Changes a record that was found, in the caller's transaction; undefined if it is gone or no longer has the
 * key: then it must be looked for again. Throws 412, 422, and the database's error for a value that is
 * another record's (23505).
 */
export async function changeFound(
  writer: Writer<Tx>,
  { id, key, input, ifMatch }: Found,
): Promise<Written | undefined> {
  const { scope, type, author } = writer;
  // Sent together and run one after the other: the database compares again, behind the lock.
  const [found, holders] = await inOrder(
    findStored(scope, type, id, { lock: true }),
    findByKeys(scope, type, [key], { only: id }),
  );
  if (found === undefined || holders.get(keyText(key))?.[0] !== id) return undefined;
  const isByOld = key.kind === "external_id" && found.body["external_id"] !== key.value;
  await refuseStale(writer, found, { ifMatch, asked: id });
  // Known by the external id of a record that was merged into it, it keeps its own.
  const { external_id: _, ...rest } = input;
  const given = meaningfulInput(type, isByOld ? rest : input);
  const known = new Set<string>(
    mainKeys(given, author.country)
      // If the list is sent, too, it says which entry is the main one.
      .filter((one) => !(`${one.kind}_list` in given) && isOther(found.body, one))
      .map(({ kind }) => kind),
  );
  const sent: Values = Object.fromEntries(
    Object.entries(given).filter(([name]) => !known.has(name)),
  );
  const done = await patchStored(writer, { found, sent });
  if (done === undefined) throw new Error("A record that is locked was changed");
  return done === "unchanged"
    ? { bytes: found.bytes, result: "unchanged" }
    : { bytes: done, result: "updated" };
}

/**
 * Whether a record has this address or number next to its main one. A caller that writes by a key knows no
 * better than the record: as the main one it would push that out of the record.
 */
const isOther = (body: JsonObject, { kind, value }: RecordKey): boolean =>
  kind !== "external_id" && isOtherEntry(body, kind, value);
