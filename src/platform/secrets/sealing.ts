/**
 * Encrypts secrets at rest, using AES-256-GCM with a key per tenant that is derived from the master
 * key. The place of a secret is also authenticated, so a ciphertext that is moved to another place
 * cannot be decrypted.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { remember } from "../cache/index.ts";
import { deriveKey, eachKey, type Keys, type MasterKey } from "./master-key.ts";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type Sealer = ReturnType<typeof createSealer>;

const TENANTS_MAX = 10_000;

/**
 * Caches each tenant's keys for one purpose, newest first. They are KeyObjects, because an HMAC with a Buffer takes
 * several times as long.
 */
function rememberKeys(keys: MasterKey, purpose: string): (tenantId: string) => Keys<KeyObject> {
  const known = remember<Keys<KeyObject>>(TENANTS_MAX);
  const keyOf = (key: Buffer, tenantId: string): KeyObject =>
    createSecretKey(deriveKey(key, purpose, tenantId));
  return (tenantId) => known(tenantId, () => eachKey(keys, (key) => keyOf(key, tenantId)));
}

/** Encrypts with the newest master key and decrypts with any known one. */
export function createSealer(keys: MasterKey) {
  const keysOf = rememberKeys(keys, "fields");
  const digestKeysOf = rememberKeys(keys, "digests");
  return {
    /** Returns one HMAC-SHA-256 for each known key, newest first. An HMAC reveals only whether two values are equal. */
    digests: (tenantId: string, bytes: Buffer): Keys<Buffer> => {
      const [newest, ...others] = digestKeysOf(tenantId);
      const digest = (key: KeyObject): Buffer => createHmac("sha256", key).update(bytes).digest();
      return [digest(newest), ...others.map(digest)];
    },
    /**
     * Encrypts a secret. Returns the IV, tag and ciphertext in base64. `place` identifies the kind of secret and its
     * record. An IV must never be used for two secrets.
     */
    seal: (
      tenantId: string,
      place: string,
      secret: string,
      iv: Buffer = randomBytes(IV_BYTES),
    ): string => {
      const cipher = createCipheriv(CIPHER, keysOf(tenantId)[0], iv);
      cipher.setAAD(Buffer.from(`${tenantId} ${place}`));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
    },
    /** Decrypts a secret. Throws if the tenant, the place or the key is different, or if the value has been altered. */
    open: (tenantId: string, place: string, sealed: string): string => {
      const bytes = Buffer.from(sealed, "base64");
      for (const key of keysOf(tenantId)) {
        try {
          const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
          decipher.setAAD(Buffer.from(`${tenantId} ${place}`));
          decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
          const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
          return Buffer.concat([text, decipher.final()]).toString("utf8");
        } catch {
          // Try the next known key.
        }
      }
      throw new Error(`No known master key can decrypt a secret (${place})`);
    },
  };
}

/**
 * Returns a function that re-encrypts sealed values with another key. Equal sealed values stay equal, because the new
 * IV is derived from the old sealed value, which has its own random IV. Throws if a value cannot be decrypted.
 */
export const createResealing =
  (from: Sealer, to: Sealer, tenantId: string) =>
  (place: string, sealed: string): string => {
    const [digest] = to.digests(tenantId, Buffer.from(`reseal ${place} ${sealed}`));
    const iv = digest.subarray(0, IV_BYTES);
    return to.seal(tenantId, place, from.open(tenantId, place, sealed), iv);
  };
