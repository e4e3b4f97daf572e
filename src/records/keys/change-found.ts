/** Changes records that were found by a key. */

import { inOrder, type Tx } from "../../platform/database/index.ts";
import type { EntityTags } from "../../platform/operations/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { isOtherEntry } from "../contact-details/index.ts";
import type { Values } from "../body/index.ts";
import { findByKeys, keyText, mainKeys, type RecordKey } from "./find-by-key.ts";
import { findStored, type Writer } from "../store/index.ts";
import { meaningfulInput, patchStored, refuseStale } from "../write/index.ts";

/** The result of a write by key, as returned in `X-Result`. */
export type WriteResult = "created" | "updated" | "unchanged" | "existing";

export interface Written {
  /** The stored record after the write. */
  readonly bytes: Buffer;
  readonly result: WriteResult;
}

/** A record that was found by a key, and the input for it. */
export interface Found {
  readonly id: string;
  readonly key: RecordKey;
  readonly input: JsonObject;
  readonly ifMatch?: EntityTags | undefined;
}

/**
 * Changes a found record in the caller's transaction. Returns undefined if the record is gone or no longer has the key.
 * The caller must then look it up again. Throws 412 and 422, and the database's error (23505) if a value belongs to
 * another record.
 */
export async function changeFound(
  writer: Writer<Tx>,
  { id, key, input, ifMatch }: Found,
): Promise<Written | undefined> {
  const { scope, type, author } = writer;
  // The queries are sent together and run in order: the second one checks the key after the first has locked the
  // record.
  const [found, holders] = await inOrder(
    findStored(scope, type, id, { lock: true }),
    findByKeys(scope, type, [key], { only: id }),
  );
  if (found === undefined || holders.get(keyText(key))?.[0] !== id) return undefined;
  const isByOld = key.kind === "external_id" && found.body["external_id"] !== key.value;
  await refuseStale(writer, found, { ifMatch, asked: id });
  // If the record was found by the external id of a merged record, it keeps its own external id.
  const { external_id: _, ...rest } = input;
  const given = meaningfulInput(type, isByOld ? rest : input);
  // A write by the record's own external id changes its main entries, as a PATCH does.
  const mayKeep = key.kind !== "external_id" || isByOld ? mainKeys(given, author.country) : [];
  const known = new Set<string>(
    mayKeep
      // If the list is also in the input, it determines the main entry.
      .filter((one) => !(`${one.kind}_list` in given) && isOther(found.body, one))
      .map(({ kind }) => kind),
  );
  const sent: Values = Object.fromEntries(
    Object.entries(given).filter(([name]) => !known.has(name)),
  );
  const done = await patchStored(writer, { found, sent });
  return done === "unchanged"
    ? { bytes: found.bytes, result: "unchanged" }
    : { bytes: done, result: "updated" };
}

/**
 * Whether a record has this address or number as a secondary entry, next to a main entry. A write that uses this key
 * must not make it the main entry, because the record would lose its current one.
 */
const isOther = (body: JsonObject, { kind, value }: RecordKey): boolean =>
  kind !== "external_id" && (body[kind] ?? "") !== "" && isOtherEntry(body, kind, value);
