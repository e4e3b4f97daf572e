/**
 * Secrets at rest: AES-256-GCM under a key per tenant, derived from the master key. The place of a
 * secret is authenticated with it, so that a ciphertext moved to another place does not open.
 */

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { remember } from "../clock/index.ts";
import { deriveKey, type MasterKey } from "./master-key.ts";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type Sealer = ReturnType<typeof createSealer>;

const TENANTS_MAX = 10_000;

/** The keys of a tenant for one purpose, newest first, which are not derived each time. */
function rememberKeys(keys: MasterKey, purpose: string): (tenantId: string) => readonly Buffer[] {
  const known = remember<readonly Buffer[]>(TENANTS_MAX);
  return (tenantId) =>
    known(tenantId, () => keys.all.map((key) => deriveKey(key, purpose, tenantId)));
}

/** Seals under the newest master key and opens what any of the known ones sealed. */
export function createSealer(keys: MasterKey) {
  const keysOf = rememberKeys(keys, "fields");
  const digestKeysOf = rememberKeys(keys, "digests");
  return {
    /** HMAC-SHA-256 under each of the known keys, newest first: tells alike from unlike, and nothing else. */
    digests: (tenantId: string, bytes: Buffer): readonly Buffer[] =>
      digestKeysOf(tenantId).map((key) => createHmac("sha256", key).update(bytes).digest()),
    /** Base64 of iv, tag and ciphertext. `place` says what it is and of which record. */
    seal: (tenantId: string, place: string, secret: string): string => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, keysOf(tenantId)[0] as Buffer, iv);
      cipher.setAAD(Buffer.from(`${tenantId} ${place}`));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
    },
    /** Throws where the seal is broken: another tenant, another place, another key. */
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
          // Sealed under another of the known keys.
        }
      }
      throw new Error(`A sealed secret (${place}) does not open under any known master key`);
    },
  };
}
