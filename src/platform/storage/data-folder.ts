/** The data folder (DATA_DIR): its holder, which is one process at a time, and its secret files. */

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
import { StartError } from "../errors/index.ts";

/** What holds a folder: the service, or a command that needs the database for a moment. */
export interface Holder {
  readonly pid: number;
  readonly kind: "service" | "command";
  readonly since: string;
}

/** Gives a folder back. */
export type Release = () => void;

/** Makes the folder where there is none. Throws a StartError where it cannot be written. */
export function openDataFolder(dataDir: string): void {
  try {
    // Others may pass through: the database's own folder below may belong to another user. Nothing
    // else in here can be read by them.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

export function unwritable(path: string, error: unknown): StartError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const text = isFull
    ? `${path} cannot be written: its disk is full (${code}). Free some space and start again.`
    : `${path} cannot be written (${code}). ` +
      "Set DATA_DIR to a folder that this user may write, or DATABASE_URL to a PostgreSQL of yours.";
  return new StartError(text, { cause: error });
}

/**
 * Takes the folder for this process; undefined where another process has it. The lock is the
 * operating system's, so it ends with the process however that ends, and a pid that was given out
 * again cannot be mistaken for its holder. SQLite takes it because Node has no flock of its own.
 */
export function takeFolder(dataDir: string, kind: Holder["kind"]): Release | undefined {
  let lock: DatabaseSync | undefined;
  try {
    // Not readable by others: whoever may read it could hold a lock on it, too.
    closeSync(openSync(join(dataDir, "lock"), "a", 0o600));
    lock = new DatabaseSync(join(dataDir, "lock"), { timeout: 0 });
    lock.exec("begin exclusive");
  } catch (error) {
    lock?.close();
    // SQLITE_BUSY
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw unwritable(join(dataDir, "lock"), error);
  }
  const held = lock;
  const holder: Holder = { pid: process.pid, kind, since: new Date().toISOString() };
  writeSecret(join(dataDir, "holder.json"), JSON.stringify(holder));
  return () => {
    removeNote(join(dataDir, "holder.json"));
    held.close();
  };
}

/** Who holds a folder that could not be taken; undefined in the moment between the two steps. */
export function holderOf(dataDir: string): Holder | undefined {
  const text = readSecret(join(dataDir, "holder.json"));
  return text === undefined ? undefined : (JSON.parse(text) as Holder);
}

/**
 * Takes the folder, waiting up to `patience_ms` while a command has it (a command ends by itself, a
 * service does not). Undefined: a service has it. `waiting` is called all the while, with the reason.
 */
export async function takeFolderPatiently(
  dataDir: string,
  kind: Holder["kind"],
  patience_ms: number,
  waiting: (message: string) => void,
): Promise<Release | undefined> {
  const until = performance.now() + patience_ms;
  for (;;) {
    const release = takeFolder(dataDir, kind);
    if (release !== undefined) return release;
    const holder = holderOf(dataDir);
    const command = `command (process ${holder?.pid ?? "unknown"})`;
    // A note of one that was killed stands there until the new holder has written its own.
    if (holder?.kind === "service" && isAlive(holder.pid)) return undefined;
    if (performance.now() > until) {
      if (holder?.kind === "service") return undefined;
      throw new StartError(`A ${command} is using ${dataDir}. Try again when it has ended.`);
    }
    waiting(`Waiting for a ${command} that uses ${dataDir}`);
    await sleep(50);
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The text of a file, without the line end; undefined where there is none. */
export function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new StartError(`${path} cannot be read (${code}).`, { cause: error });
  }
}

/** The text of a file; empty if it cannot be read. */
export function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Removes a file about this process, which must be able to end on a read-only file system, too. */
export function removeNote(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It says something that is no longer so, and nothing relies on it.
  }
}

/** Writes a file that only its owner reads (0600): all of it or nothing, and on the disk. */
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
    throw unwritable(path, error);
  }
}
