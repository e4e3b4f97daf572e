/**
 * Cursors store a reader's place in the feed: a change position, the time up to which the reader has read, and the last
 * change at that position. A cursor is signed with a tenant-specific key. Otherwise, a forged cursor could make a
 * reader skip changes without noticing. A cursor does not grant access.
 */

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { TenantId } from "../audit/index.ts";
import { deriveKey, type MasterKey, eachKey, type Keys } from "../platform/secrets/index.ts";
import { DIGEST_BYTES, type LastChange } from "./last-change.ts";

export interface FeedPlace {
  /** The reader has read all changes up to this position. */
  readonly seq: number;
  /** Epoch seconds. All changes that the reader has not read are from this time or later. */
  readonly at_s: number;
  /** The newest change up to the position. Undefined if it is not known yet. */
  readonly last: LastChange | undefined;
}

/**
 * A place whose last change is known, so that a later request can check whether the history still contains that change.
 */
export interface KnownPlace extends FeedPlace {
  readonly last: LastChange;
}

export interface FeedCursors {
  readonly write: (tenantId: TenantId, place: KnownPlace) => string;
  /** Decodes a cursor. Returns undefined if the string is not a cursor of this tenant. */
  readonly read: (tenantId: TenantId, text: string) => FeedPlace | undefined;
  /** Whether a string has the format of a cursor, even if it was issued by another installation. */
  readonly hasForm: (text: string) => boolean;
}

/** 48-bit numbers allow a million changes per second for nine years. */
const NUMBER_BYTES = 6;
/** Cursors of version 1, which are still valid, contain only the position and the time. */
const FIRST_BYTES = 2 * NUMBER_BYTES;
/**
 * The version of new cursors. They contain this number, the cursor's own position and time, and the last change's time
 * and digest.
 */
const FORM = 2;
const PLACE_BYTES = 1 + 3 * NUMBER_BYTES + DIGEST_BYTES;
const SIGNATURE_BYTES = 12;
const TEXT = /^[\w-]+$/;

/** Signs with the newest master key and accepts signatures of all known keys. */
export function createFeedCursors(keys: MasterKey): FeedCursors {
  const known = new Map<string, Keys<KeyObject>>();
  const keysOf = (tenantId: string): Keys<KeyObject> => {
    const made =
      known.get(tenantId) ??
      eachKey(keys, (key) => createSecretKey(deriveKey(key, "feed cursors", tenantId)));
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
      const [key] = keysOf(tenantId);
      return Buffer.concat([place, signatureOf(key, place)]).toString("base64url");
    },
    hasForm: (text) => bytesOf(text) !== undefined,
    read: (tenantId, text) => {
      const bytes = bytesOf(text);
      if (bytes === undefined) return undefined;
      const place = bytes.subarray(0, -SIGNATURE_BYTES);
      const signature = bytes.subarray(-SIGNATURE_BYTES);
      const isOurs = keysOf(tenantId).some((key) =>
        timingSafeEqual(signatureOf(key, place), signature),
      );
      return isOurs ? placeIn(place) : undefined;
    },
  };
}

/** Decodes a string that has the format of a cursor. Returns undefined for any other string. */
function bytesOf(text: string): Buffer | undefined {
  if (!TEXT.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const length = bytes.length - SIGNATURE_BYTES;
  if (length !== FIRST_BYTES && length !== PLACE_BYTES) return undefined;
  // Several strings decode to the same bytes. Only the canonical one is accepted as a cursor.
  return bytes.toString("base64url") === text ? bytes : undefined;
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
