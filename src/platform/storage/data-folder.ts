/** The data folder (DATA_DIR): its lock, which only one process can hold at a time, and its secret files. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, StartError } from "../errors/index.ts";

/** The process that holds the lock: a service, or a command that uses the database for a short time. */
export interface Holder {
  readonly pid: number;
  readonly kind: "service" | "command";
  readonly since: string;
}

export type Release = () => void;

/** Creates the folder if it does not exist. Throws a StartError if it is not writable. */
export function openDataFolder(dataDir: string): void {
  try {
    // Other users can enter the folder but cannot list it. They must be able to enter it because the database folder
    // inside it may belong to another user.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

/** The error for a data folder or its database folder. */
export const unwritable = (path: string, error: unknown): StartError =>
  cannotWrite(
    path,
    error,
    "Set DATA_DIR to a folder that this user can write to, or DATABASE_URL to your own PostgreSQL server.",
  );

function cannotWrite(path: string, error: unknown, advice: string): StartError {
  const code = codeOf(error) || "unknown error";
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const text = isFull
    ? `Cannot write to ${path}: the disk is full (${code}). Free some space and start again.`
    : `Cannot write to ${path} (${code}). ${advice}`;
  return new StartError(text, { cause: error });
}

/**
 * Locks the folder for this process. Returns undefined if another process holds the lock. Because it
 * is an operating system lock, it is released when the process exits, and a reused pid cannot be
 * mistaken for the holder. SQLite acquires it because Node.js has no flock.
 */
export function lockFolder(dataDir: string, kind: Holder["kind"]): Release | undefined {
  let lock: DatabaseSync | undefined;
  try {
    // Other users must not be able to read the file, because a user who can read it could lock it.
    closeSync(openSync(join(dataDir, "lock"), "a", 0o600));
    lock = new DatabaseSync(join(dataDir, "lock"), { timeout: 0 });
    lock.exec("begin exclusive");
  } catch (error) {
    lock?.close();
    // SQLITE_BUSY
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw unwritable(join(dataDir, "lock"), error);
  }
  const locked = lock;
  const holder: Holder = { pid: process.pid, kind, since: new Date().toISOString() };
  writeSecret(join(dataDir, "holder.json"), JSON.stringify(holder));
  return () => {
    removeNote(join(dataDir, "holder.json"));
    locked.close();
  };
}

/** Returns the holder of a locked folder. Undefined for a moment after locking, until the holder is recorded. */
export function holderOf(dataDir: string): Holder | undefined {
  const text = readSecret(join(dataDir, "holder.json"));
  return text === undefined ? undefined : (JSON.parse(text) as Holder);
}

/**
 * Locks the folder. Returns undefined if a service holds the lock, because services run indefinitely. Commands finish
 * soon, so if a command holds the lock, waits up to `patience_ms` before it throws a StartError. Calls `waiting` with
 * the reason after every failed attempt.
 */
export async function lockFolderPatiently(
  dataDir: string,
  kind: Holder["kind"],
  patience_ms: number,
  waiting: (message: string) => void,
): Promise<Release | undefined> {
  const until = performance.now() + patience_ms;
  for (;;) {
    const release = lockFolder(dataDir, kind);
    if (release !== undefined) return release;
    const holder = holderOf(dataDir);
    // Until the new holder has recorded itself, the file may still name a process that was killed.
    if (holder?.kind === "service" && isAlive(holder.pid)) return undefined;
    if (performance.now() > until) {
      if (holder?.kind === "service") return undefined;
      throw usedByCommand(dataDir, holder);
    }
    waiting(`Waiting for a command (${processOf(holder)}) that uses ${dataDir}`);
    await sleep(50);
  }
}

const processOf = (holder: Holder | undefined): string => `process ${holder?.pid ?? "unknown"}`;

export const usedByCommand = (dataDir: string, holder: Holder | undefined): StartError =>
  new StartError(
    `A command (${processOf(holder)}) is using ${dataDir}. Try again when it has ended.`,
  );

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Reads a file as trimmed text. Returns undefined if the file does not exist. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    throw new StartError(`Cannot read ${path} (${code}).`, { cause: error });
  }
}

/** Reads a file as text. Returns an empty string if it cannot be read. */
export function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Removes a file that describes this process. Ignores errors so that the process can exit even on a
 * read-only file system.
 */
export function removeNote(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // If the file cannot be removed, it remains, but nothing relies on it.
  }
}

/** Writes a file that only its owner can read (0600), atomically and durably. */
export function writeSecret(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openSync(draft, "w", 0o600);
    writeSync(file, `${text}\n`);
    fsyncSync(file);
    closeSync(file);
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw cannotWrite(
      path,
      error,
      "Check that its folder exists and that this user can write to it.",
    );
  }
}
