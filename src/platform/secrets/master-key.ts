/**
 * Reads the master key from MASTER_KEY or the data folder. The database stores the key's fingerprint, so that a wrong
 * key is detected.
 */

import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { readSecret, writeSecret } from "../storage/index.ts";
import { type Connection, type Db, inserted, run } from "../database/index.ts";
import { StartError } from "../errors/index.ts";

const KEY_BYTES = 32;

/** Keys, newest first. There is at least one. The newest key is used for encryption, and all are tried for decryption. */
export type Keys<K> = readonly [newest: K, ...others: K[]];

/** The known keys, 32 bytes each. */
export interface MasterKey {
  readonly all: Keys<Buffer>;
}

/** Derives a key from each known key. */
export const eachKey = <K>({ all }: MasterKey, derive: (key: Buffer) => K): Keys<K> => {
  const [newest, ...others] = all;
  return [derive(newest), ...others.map((key) => derive(key))];
};

export interface KeySettings {
  readonly masterKey: Buffer | undefined;
  readonly masterKeysPrevious: readonly Buffer[];
}

/** Returns a new key for `leadport key`: 32 random bytes, base64-encoded. */
export const newMasterKey = (): string => randomBytes(KEY_BYTES).toString("base64");

/**
 * Returns the master key of this installation. If the settings contain none, the first start creates it in
 * DATA_DIR/master-key. Throws a StartError if that file is invalid.
 */
export function loadMasterKey(settings: KeySettings, dataDir: string): MasterKey {
  const known = readMasterKey(settings, dataDir);
  if (known !== undefined) return known;
  const text = newMasterKey();
  writeSecret(keyFileOf(dataDir), text);
  return { all: [Buffer.from(text, "base64"), ...settings.masterKeysPrevious] };
}

const keyFileOf = (dataDir: string): string => join(dataDir, "master-key");

/**
 * Returns the master key from the settings or from DATA_DIR/master-key, which contains one key per line,
 * newest first. Undefined if there is none. Throws a StartError if the file is invalid.
 */
export function readMasterKey(
  { masterKey, masterKeysPrevious }: KeySettings,
  dataDir: string,
): MasterKey | undefined {
  if (masterKey !== undefined) return { all: [masterKey, ...masterKeysPrevious] };
  const path = keyFileOf(dataDir);
  const text = readSecret(path);
  if (text === undefined) return undefined;
  const [newest, ...others] = text.split("\n").map((line) => Buffer.from(line.trim(), "base64"));
  if (newest === undefined || [newest, ...others].some((key) => key.length !== KEY_BYTES)) {
    throw new StartError(
      `${path} must contain 32 base64-encoded bytes on each line. Restore it from a backup.`,
    );
  }
  return { all: [newest, ...others, ...masterKeysPrevious] };
}

/** Derives a 32-byte key for a purpose ("fields", "tokens" …) and a context within it, such as a tenant. */
export const deriveKey = (key: Buffer, purpose: string, context = ""): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "leadport", `${purpose}\0${context}`, KEY_BYTES));

/** Returns a key's fingerprint, which reveals nothing about the key. */
export const fingerprintOf = (key: Buffer): string =>
  deriveKey(key, "fingerprint").subarray(0, 8).toString("hex");

/**
 * Throws a StartError if the database was written with a different master key. Records the fingerprint of the current
 * key if the database has none yet, or if the key is new and the earlier keys are also known.
 */
export async function checkMasterKey(db: Db, keys: MasterKey, now_s: number): Promise<void> {
  const [current = ""] = keys.all.map(fingerprintOf);
  await db.begin("", async (tx) => {
    // Lock the table. If two processes start for the first time with different keys, one of them must fail.
    await run(tx)`lock table installation in share row exclusive mode`;
    const noted = await notedFingerprints(tx);
    const unknown = unknownOf(noted, keys);
    if (unknown.length > 0) {
      throw new StartError(
        `This database was encrypted with another master key (fingerprint ${unknown.join(", ")}; ` +
          `the current key has ${current}). Set MASTER_KEY to that key, or add it to MASTER_KEY_PREVIOUS.`,
      );
    }
    if (noted.includes(current)) return;
    const row = { key_fingerprint: current, created_ts: now_s };
    await run(tx)`insert into installation ${inserted(row)}`;
  });
}

/** Returns the fingerprints of unknown keys that this database was written with. */
export const unknownFingerprints = async (db: Db, keys: MasterKey): Promise<readonly string[]> =>
  unknownOf(await notedFingerprints(db), keys);

/** Returns the fingerprints of the keys that a database was written with. */
export async function notedFingerprints(db: Connection): Promise<readonly string[]> {
  const rows = await run<{ key_fingerprint: string }[]>(db)`
    select key_fingerprint from installation`;
  return rows.map(({ key_fingerprint }) => key_fingerprint);
}

/** Returns the fingerprints that do not match any of the keys. */
export function unknownOf(noted: readonly string[], keys: MasterKey): readonly string[] {
  const known = keys.all.map(fingerprintOf);
  return noted.filter((fingerprint) => !known.includes(fingerprint));
}
