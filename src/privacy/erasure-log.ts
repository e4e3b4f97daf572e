/**
 * The erasure log is a file outside the database. It lists what a restored backup must not bring back: erased people,
 * revoked credentials, and suspended or deleted tenants. Each line is a JSON object with a MAC created with the master
 * key. The log contains only ids and keyed digests.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Revocation } from "../audit/index.ts";
import { codeOf, StartError } from "../platform/errors/index.ts";
import { deriveKey, type MasterKey, type Sealer } from "../platform/secrets/index.ts";
import { digestsOf } from "./blocked-persons.ts";
import { type PlannedRecord, type Terms } from "./person/index.ts";

interface About {
  /** The time in ISO 8601 format, in UTC. */
  readonly at: string;
  readonly tenant_id: string;
}

export interface LoggedErasure extends About {
  readonly kind: "person_erased";
  readonly erasure_id: string;
  readonly records: readonly PlannedRecord[];
  /** Keyed digests of addresses and numbers, in hex. */
  readonly digests: readonly string[];
}

export interface LoggedRevocation extends About {
  readonly kind: Revocation;
  readonly id: string;
  /** SHA-256 of the new access code, in hex. */
  readonly code_hash?: string;
}

export type Logged = LoggedErasure | LoggedRevocation;

type Appended =
  | LoggedRevocation
  | (Omit<LoggedErasure, "digests"> & { readonly known: Pick<Terms, "emails" | "phones"> });

export interface ErasureLog {
  readonly path: string;
  /** Resolves when the lines have been flushed to disk. */
  readonly append: (entries: readonly Appended[]) => Promise<void>;
}

const FORM = 1;

export function createErasureLog(path: string, keys: MasterKey, sealer: Sealer): ErasureLog {
  return {
    path,
    append: async (entries) => {
      if (entries.length === 0) return;
      const lines = entries.map((entry) => lineOf(keys, asLogged(sealer, entry)));
      const file = await open(path, "a", 0o600);
      try {
        // A crash may have truncated the last line. Start a new line, so that the next entry can be read.
        const start = (await endsInLine(path, file)) ? "" : "\n";
        await file.appendFile(start + lines.join(""));
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(dirname(path));
    },
  };
}

function asLogged(sealer: Sealer, entry: Appended): Logged {
  if (entry.kind !== "person_erased") return entry;
  const { known, ...rest } = entry;
  const digests = digestsOf(sealer, entry.tenant_id, known).map((digest) => digest.toString("hex"));
  return { ...rest, digests };
}

async function endsInLine(path: string, file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const reading = await open(path, "r");
  try {
    const { buffer } = await reading.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await reading.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const macOf = (key: Buffer, text: string): Buffer =>
  createHmac("sha256", deriveKey(key, "erasure log")).update(text).digest();

function lineOf(keys: MasterKey, entry: Logged): string {
  const text = JSON.stringify({ v: FORM, ...entry });
  const [key] = keys.all;
  return `${JSON.stringify({ ...JSON.parse(text), mac: macOf(key, text).toString("hex") })}\n`;
}

/**
 * Reads a log's entries, oldest first. Returns undefined if the file does not exist. Throws a StartError if a line was
 * modified or written with another master key, because ignoring it could bring erased people back. A line that was
 * truncated by a crash is skipped, because its erasure or revocation was not completed.
 */
export async function readErasureLog(
  path: string,
  keys: MasterKey,
): Promise<readonly Logged[] | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  return text.split("\n").flatMap((line, at): readonly Logged[] => {
    const entry = line.trim() === "" ? undefined : parsed(line);
    if (entry === undefined) return [];
    const { mac, ...rest } = entry;
    const own = JSON.stringify(rest);
    const given = Buffer.from(String(mac), "hex");
    const isOurs = keys.all.some((key) => {
      const expected = macOf(key, own);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (isOurs) return [rest as unknown as Logged];
    throw new StartError(
      `Line ${at + 1} of ${path} was not written under a known master key, or was changed. ` +
        "Restore the file from a copy, or add the earlier key to MASTER_KEY_PREVIOUS.",
    );
  });
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
