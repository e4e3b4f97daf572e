/** Changes a record that was found by a key, and describes the result of a write by key. */

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

/** The action of a write by key, as returned in `X-Result`. */
export type WriteResult = "created" | "updated" | "unchanged" | "existing";

export interface Written {
  /** The record as it is stored now. */
  readonly bytes: Buffer;
  readonly result: WriteResult;
}

/** The record that a key found, and the input for it. */
export interface Found {
  readonly id: string;
  readonly key: RecordKey;
  readonly input: JsonObject;
  readonly ifMatch?: EntityTags | undefined;
}

/**
 * Changes a record that was found, in the caller's transaction. Returns undefined if it is gone or
 * no longer has the key, so that the caller looks for it again. Throws 412, 422, and the database's
 * error if a value belongs to another record (23505).
 */
export async function changeFound(
  writer: Writer<Tx>,
  { id, key, input, ifMatch }: Found,
): Promise<Written | undefined> {
  const { scope, type, author } = writer;
  // Sent together and run one after the other. The second query checks the key after the first has
  // locked the record.
  const [found, holders] = await inOrder(
    findStored(scope, type, id, { lock: true }),
    findByKeys(scope, type, [key], { only: id }),
  );
  if (found === undefined || holders.get(keyText(key))?.[0] !== id) return undefined;
  const isByOld = key.kind === "external_id" && found.body["external_id"] !== key.value;
  await refuseStale(writer, found, { ifMatch, asked: id });
  // A record found by the external id of a record that was merged into it keeps its own external id.
  const { external_id: _, ...rest } = input;
  const given = meaningfulInput(type, isByOld ? rest : input);
  const known = new Set<string>(
    mainKeys(given, author.country)
      // If the list is sent too, it determines the main entry.
      .filter((one) => !(`${one.kind}_list` in given) && isOther(found.body, one))
      .map(({ kind }) => kind),
  );
  const sent: Values = Object.fromEntries(
    Object.entries(given).filter(([name]) => !known.has(name)),
  );
  const done = await patchStored(writer, { found, sent });
  if (done === undefined) throw new Error("A locked record was changed");
  return done === "unchanged"
    ? { bytes: found.bytes, result: "unchanged" }
    : { bytes: done, result: "updated" };
}

/**
 * Whether a record has this address or number as a secondary entry. Writing by that key must not
 * make it the main entry, because that would drop the current main entry from the record.
 */
const isOther = (body: JsonObject, { kind, value }: RecordKey): boolean =>
  kind !== "external_id" && isOtherEntry(body, kind, value);
