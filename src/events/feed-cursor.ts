/**
 * Where a reader of the feed stands: a position, the moment up to which it has read, and the last
 * change at that position. A cursor is signed under a key of its tenant, because a made-up one would
 * skip changes without a word. It grants nothing.
 */

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { TenantId } from "../audit/index.ts";
import { deriveKey, type MasterKey } from "../platform/secrets/index.ts";
import { DIGEST_BYTES, type LastChange } from "./last-change.ts";

export interface FeedPlace {
  /** All up to here has been read. */
  readonly seq: number;
  /** Whole epoch seconds: what is still to be read is not older. */
  readonly at_s: number;
  /** The newest change up to here; undefined where it is not known yet. */
  readonly last: LastChange | undefined;
}

/** A place that can be compared with the history of another day. */
export interface KnownPlace extends FeedPlace {
  readonly last: LastChange;
}

export interface FeedCursors {
  readonly write: (tenantId: TenantId, place: KnownPlace) => string;
  /** Undefined for what is no cursor of this tenant. */
  readonly read: (tenantId: TenantId, text: string) => FeedPlace | undefined;
}

/** Numbers of 48 bits: a million changes a second for nine years. */
const NUMBER_BYTES = 6;
/** Position and moment. Cursors of the first form have nothing else, and remain valid. */
const FIRST_BYTES = 2 * NUMBER_BYTES;
/** The number of the form, position, moment, and the last change's moment and digest. */
const FORM = 2;
const PLACE_BYTES = 1 + 3 * NUMBER_BYTES + DIGEST_BYTES;
const SIGNATURE_BYTES = 12;
const TEXT = /^[\w-]+$/;

/** Signs under the newest master key and takes what any of the known ones signed. */
export function createFeedCursors(keys: MasterKey): FeedCursors {
  const known = new Map<string, readonly KeyObject[]>();
  const keysOf = (tenantId: string): readonly KeyObject[] => {
    const made =
      known.get(tenantId) ??
      keys.all.map((key) => createSecretKey(deriveKey(key, "feed cursors", tenantId)));
    known.set(tenantId, made);
    return made;
  };
  return {
    write: (tenantId, { seq, at_s, last }) => {
      const place = Buffer.alloc(PLACE_BYTES);
      let end = place.writeUInt8(FORM);
      for (const number of [seq, at_s, last.at_s]) {
        end = place.writeUIntBE(number, end, NUMBER_BYTES);
      }
      last.digest.copy(place, end);
      const [key] = keysOf(tenantId) as [KeyObject];
      return Buffer.concat([place, signatureOf(key, place)]).toString("base64url");
    },
    read: (tenantId, text) => {
      if (!TEXT.test(text)) return undefined;
      const bytes = Buffer.from(text, "base64url");
      const place = bytes.subarray(0, -SIGNATURE_BYTES);
      if (place.length !== FIRST_BYTES && place.length !== PLACE_BYTES) return undefined;
      // Of several texts of the same bytes only one is a cursor.
      if (bytes.toString("base64url") !== text) return undefined;
      const signature = bytes.subarray(-SIGNATURE_BYTES);
      const isOurs = keysOf(tenantId).some((key) =>
        timingSafeEqual(signatureOf(key, place), signature),
      );
      return isOurs ? placeIn(place) : undefined;
    },
  };
}

function placeIn(place: Buffer): FeedPlace | undefined {
  const numberAt = (index: number, start: number): number =>
    place.readUIntBE(start + index * NUMBER_BYTES, NUMBER_BYTES);
  if (place.length === FIRST_BYTES) {
    return { seq: numberAt(0, 0), at_s: numberAt(1, 0), last: undefined };
  }
  const digest = place.subarray(-DIGEST_BYTES);
  return place[0] === FORM
    ? { seq: numberAt(0, 1), at_s: numberAt(1, 1), last: { at_s: numberAt(2, 1), digest } }
    : undefined;
}

const signatureOf = (key: KeyObject, place: Buffer): Buffer =>
  createHmac("sha256", key).update(place).digest().subarray(0, SIGNATURE_BYTES);
