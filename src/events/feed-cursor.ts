/**
 * Where a reader of the feed stands: a position and the moment up to which it has been told. A cursor
 * is signed under a key of its tenant, because a made-up one would skip changes without a word. It
 * grants nothing.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import type { TenantId } from "../audit/index.ts";
import { deriveKey, type MasterKey } from "../platform/master-key.ts";

export interface FeedPlace {
  /** All up to here has been told. */
  readonly seq: number;
  /** Whole epoch seconds: what is still to be told is not older. */
  readonly at_s: number;
}

export interface FeedCursors {
  readonly write: (tenantId: TenantId, place: FeedPlace) => string;
  /** Undefined for what is no cursor of this tenant. */
  readonly read: (tenantId: TenantId, text: string) => FeedPlace | undefined;
}

/** Two numbers of 48 bits: a million changes a second for nine years. */
const NUMBER_BYTES = 6;
const PLACE_BYTES = 2 * NUMBER_BYTES;
const SIGNATURE_BYTES = 12;
const FORM = /^[\w-]{32}$/;

/** Signs under the newest master key and takes what any of the known ones signed (D11.3). */
export function createFeedCursors(keys: MasterKey): FeedCursors {
  const known = new Map<string, readonly Buffer[]>();
  const keysOf = (tenantId: string): readonly Buffer[] => {
    const made =
      known.get(tenantId) ?? keys.all.map((key) => deriveKey(key, "feed cursors", tenantId));
    known.set(tenantId, made);
    return made;
  };
  return {
    write: (tenantId, { seq, at_s }) => {
      const place = Buffer.alloc(PLACE_BYTES);
      place.writeUIntBE(seq, 0, NUMBER_BYTES);
      place.writeUIntBE(at_s, NUMBER_BYTES, NUMBER_BYTES);
      const [key] = keysOf(tenantId) as [Buffer];
      return Buffer.concat([place, signatureOf(key, place)]).toString("base64url");
    },
    read: (tenantId, text) => {
      if (!FORM.test(text)) return undefined;
      const bytes = Buffer.from(text, "base64url");
      const place = bytes.subarray(0, PLACE_BYTES);
      const signature = bytes.subarray(PLACE_BYTES);
      const isOurs = keysOf(tenantId).some((key) =>
        timingSafeEqual(signatureOf(key, place), signature),
      );
      return isOurs
        ? {
            seq: place.readUIntBE(0, NUMBER_BYTES),
            at_s: place.readUIntBE(NUMBER_BYTES, NUMBER_BYTES),
          }
        : undefined;
    },
  };
}

const signatureOf = (key: Buffer, place: Buffer): Buffer =>
  createHmac("sha256", key).update(place).digest().subarray(0, SIGNATURE_BYTES);
