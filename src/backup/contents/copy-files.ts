/** Copies backup files with checksums, flushes them to disk, and never follows links. */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { chown, type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, StartError } from "../../platform/errors/index.ts";
import type { BackupFile } from "./manifest.ts";
import type { Pace } from "./pace.ts";

/** The number of bytes that are read and written at a time. */
const CHUNK_bytes = 1024 * 1024;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface CopyOptions {
  /** The user who will own the copy. Default: the current user. */
  readonly owner?: Owner | undefined;
  /** Called with the number of bytes after each copied chunk. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Returns how long to wait after each chunk. */
  readonly pace?: Pace | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether to skip flushing to disk. Set this if the copy is only temporary. */
  readonly isTemporary?: boolean | undefined;
}

/** The number of files to copy in parallel, so that some can be copied while others are flushed to disk. */
export const AT_ONCE = 8;

/**
 * Copies a file. The target must not exist yet. Returns the size and SHA-256 of the file. Returns
 * undefined if the source no longer exists, because PostgreSQL may remove a file during a backup.
 */
export async function copyFile(
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<Omit<BackupFile, "path"> | undefined> {
  const source = await openSource(from);
  if (source === undefined) return undefined;
  try {
    const target = await open(to, "wx", 0o600);
    try {
      const copied = await pump(source, target, options);
      if (options.isTemporary !== true) await target.sync();
      if (options.owner !== undefined) await target.chown(options.owner.uid, options.owner.gid);
      return copied;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Returns the size and SHA-256 of a file; undefined if it does not exist. */
export async function digestOf(path: string, options: CopyOptions = {}) {
  const source = await openSource(path);
  if (source === undefined) return undefined;
  try {
    return await pump(source, undefined, options);
  } finally {
    await source.close();
  }
}

async function openSource(path: string): Promise<FileHandle | undefined> {
  try {
    // O_NOFOLLOW is not available on Windows, where the constant is undefined.
    const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0;
    return await open(path, constants.O_RDONLY | noFollow);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw new StartError(`${path} is a link.`, { cause: error });
    throw error;
  }
}

async function pump(source: FileHandle, target: FileHandle | undefined, options: CopyOptions) {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_bytes);
  let bytes = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const { bytesRead } = await source.read(chunk, 0, chunk.length);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    const piece = chunk.subarray(0, bytesRead);
    hash.update(piece);
    await target?.writeFile(piece);
    bytes += bytesRead;
    options.onBytes?.(bytesRead);
    const wait_ms = options.pace?.(bytesRead, performance.now()) ?? 0;
    if (wait_ms > 0) await sleep(wait_ms, undefined, { signal: options.signal });
  }
}

/** Creates a subfolder and its parents, accessible only to their owner. */
export async function makeFolder(root: string, path: string, owner?: Owner): Promise<void> {
  const folder = join(root, path);
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (created === undefined || owner === undefined) return;
  for (let one = folder; one.length >= created.length; one = dirname(one)) {
    await chown(one, owner.uid, owner.gid);
  }
}

/** Flushes a folder's entries to disk. Windows has no such operation and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
