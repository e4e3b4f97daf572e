/** The one-time key of a tenant file. It seals the secrets in the file and signs its manifest. */

import { createHmac, randomBytes } from "node:crypto";
import { deriveKey, fingerprintOf } from "./master-key.ts";
import { createSealer, type Sealer } from "./sealing.ts";

const KEY_BYTES = 32;
const PREFIX = "lptk_";
const TEXT = /^lptk_([\w-]{43})$/;

export interface TransferKey {
  /** The key in the form that is shown to the user once. */
  readonly text: string;
  /** The key's fingerprint, which reveals nothing about the key. */
  readonly fingerprint: string;
  readonly sealer: Sealer;
  /** The signature of a file's manifest, in hex. */
  readonly sign: (manifest: string) => string;
}

export const newTransferKey = (): TransferKey => transferKeyFrom(randomBytes(KEY_BYTES));

export function transferKeyFrom(key: Buffer): TransferKey {
  const signing = deriveKey(key, "tenant file");
  return {
    text: PREFIX + key.toString("base64url"),
    fingerprint: fingerprintOf(key),
    sealer: createSealer({ all: [key] }),
    sign: (manifest) => createHmac("sha256", signing).update(manifest).digest("hex"),
  };
}

/** Parses a key. Returns undefined if the text is not a key. */
export function readTransferKey(text: string): TransferKey | undefined {
  const [, encoded] = TEXT.exec(text.trim()) ?? [];
  return encoded === undefined ? undefined : transferKeyFrom(Buffer.from(encoded, "base64url"));
}
