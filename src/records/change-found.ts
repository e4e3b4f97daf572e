/** Changing a record that was found by a key, and what a write by key came to. */

import type { Scope } from "../audit/index.ts";
import type { Tx } from "../platform/db.ts";
import type { EntityTags } from "../platform/entity-tags.ts";
import type { JsonObject } from "../platform/json.ts";
import type { RecordType } from "./define.ts";
import { currentByExternalIds } from "./old-ids.ts";
import { hasKey, type RecordKey } from "./find-by-key.ts";
import { meaningfulInput, patchStored } from "./patch.ts";
import { refuseStale } from "./precondition.ts";
import { findStored } from "./store.ts";
import type { Author, WriteDeps } from "./write.ts";

/** What a write by key did, as `X-Result` tells it. */
export type WriteResult = "created" | "updated" | "unchanged" | "existing";

export interface Written {
  /** The record as it is stored now. */
  readonly bytes: Buffer;
  readonly result: WriteResult;
}

/** The record that a key found, and what is said of it. */
export interface Found {
  readonly id: string;
  readonly key: RecordKey;
  readonly input: JsonObject;
  readonly ifMatch?: EntityTags | undefined;
}

/**
 * Changes a record that was found, in the caller's transaction; undefined where it is gone, or has the
 * key no more: then it is to be looked for anew. Throws 412, 422, and what the database says of a value that
 * is another's (23505).
 */
export async function changeFound(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { id, key, input, ifMatch }: Found,
): Promise<Written | undefined> {
  const found = await findStored(scope, type, id, { lock: true });
  if (found === undefined) return undefined;
  const isByOld = !hasKey(found.body, key);
  if (isByOld && !(await wasMergedInto(scope, type, { id, key }))) return undefined;
  await refuseStale(scope, type, found, { ifMatch, asked: id });
  // Known by the external id of a record that was merged into it, it keeps its own.
  const { external_id: _, ...rest } = input;
  const sent = meaningfulInput(type, isByOld ? rest : input);
  const done = await patchStored(scope, deps, author, type, { found, sent });
  if (done === undefined) throw new Error("A record that is locked was changed");
  return done === "unchanged"
    ? { bytes: found.bytes, result: "unchanged" }
    : { bytes: done, result: "updated" };
}

/** Whether a record that was merged into this one had the key. */
async function wasMergedInto(
  scope: Scope,
  type: RecordType,
  { id, key: { kind, value } }: Pick<Found, "id" | "key">,
): Promise<boolean> {
  if (kind !== "external_id") return false;
  return (await currentByExternalIds(scope, type, [value])).get(value) === id;
}
