/** The master key, of MASTER_KEY or the data folder; a fingerprint refuses a wrong one. */

import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { TransactionSql } from "postgres";
import { readSecret, writeSecret } from "../storage/index.ts";
import { type Db, inserted, run } from "../database/index.ts";
import { StartError } from "../errors/index.ts";

const KEY_BYTES = 32;

/** The known keys, each 32 bytes, newest first: the first encrypts, all decrypt. Never empty. */
export interface MasterKey {
  readonly all: readonly Buffer[];
}

export interface KeySettings {
  readonly masterKey: Buffer | undefined;
  readonly masterKeysPrevious: readonly Buffer[];
}

/** What `leadport key` prints: 32 random bytes in base64. */
export const newMasterKey = (): string => randomBytes(KEY_BYTES).toString("base64");

/**
 * The master key of this installation, created in DATA_DIR/master-key at the first start if the settings
 * name none. Throws a StartError if that file holds something else.
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
 * The master key of the settings, or of DATA_DIR/master-key, which holds a key a line, newest first; undefined
 * if there is none. Throws a StartError if the file holds something else.
 */
export function readMasterKey({ masterKey, masterKeysPrevious }: KeySettings, dataDir: string) {
  if (masterKey !== undefined) return { all: [masterKey, ...masterKeysPrevious] };
  const path = keyFileOf(dataDir);
  const text = readSecret(path);
  if (text === undefined) return undefined;
  const all = text.split("\n").map((line) => Buffer.from(line.trim(), "base64"));
  if (all.some((key) => key.length !== KEY_BYTES)) {
    throw new StartError(
      `${path} must hold 32 bytes in base64 on every line; put back a copy of it.`,
    );
  }
  return { all: [...all, ...masterKeysPrevious] };
}

/** A key of 32 bytes for one purpose ("fields", "tokens" …) and, within it, one context (a tenant). */
export const deriveKey = (key: Buffer, purpose: string, context = ""): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "leadport", `${purpose}\0${context}`, KEY_BYTES));

/** Tells keys apart and gives nothing away about them. */
const fingerprintOf = (key: Buffer): string =>
  deriveKey(key, "fingerprint").subarray(0, 8).toString("hex");

/**
 * Refuses a master key that is not the one this database was written with, by a StartError; notes
 * the key where the database has none yet, or where it is new and the earlier ones are known too.
 */
export async function checkMasterKey(db: Db, keys: MasterKey, now_s: number): Promise<void> {
  const [current = ""] = keys.all.map(fingerprintOf);
  await db.begin(async (tx) => {
    // Of two first starts with different keys one is refused.
    await run(tx)`lock table installation in share row exclusive mode`;
    const noted = await notedFingerprints(tx);
    const unknown = unknownOf(noted, keys);
    if (unknown.length > 0) {
      throw new StartError(
        `This database was written with another master key (fingerprint ${unknown.join(", ")}; ` +
          `this one is ${current}). Set the right MASTER_KEY, or name it in MASTER_KEY_PREVIOUS.`,
      );
    }
    if (noted.includes(current)) return;
    const row = { key_fingerprint: current, created_ts: now_s };
    await run(tx)`insert into installation ${inserted(row)}`;
  });
}

/** The fingerprints of keys that this database was written with and that are not known. */
export const unknownFingerprints = async (db: Db, keys: MasterKey): Promise<readonly string[]> =>
  unknownOf(await notedFingerprints(db), keys);

async function notedFingerprints(db: Db | TransactionSql): Promise<readonly string[]> {
  const rows = await run<{ key_fingerprint: string }[]>(db)`
    select key_fingerprint from installation`;
  return rows.map(({ key_fingerprint }) => key_fingerprint);
}

function unknownOf(noted: readonly string[], keys: MasterKey): readonly string[] {
  const known = keys.all.map(fingerprintOf);
  return noted.filter((fingerprint) => !known.includes(fingerprint));
}
