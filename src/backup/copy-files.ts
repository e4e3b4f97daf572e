/** Copying files of a backup: with checksums, flushed to the disk, and never through a link. */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { chown, type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "../platform/errors/index.ts";
import type { BackupFile } from "./manifest.ts";

/** Bytes that are read and written at a time. */
const CHUNK_bytes = 1024 * 1024;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface CopyOptions {
  /** The user that the copy shall belong to; ours by default. */
  readonly owner?: Owner | undefined;
  /** Called with the bytes of each chunk that was copied. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Do not flush the copy to the disk: it is needed only for the moment. */
  readonly isTemporary?: boolean | undefined;
}

/** Files that are copied at the same time: what flushing one to the disk takes, others use. */
export const AT_ONCE = 8;

/**
 * Copies a file that must not exist at the target yet. Returns its size and SHA-256, or undefined if the source
 * no longer exists: PostgreSQL may remove a file while a backup is taken.
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

/** The size and SHA-256 of a file; undefined if it does not exist. */
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
    // Not available on Windows, where the constant is undefined.
    const noFollow = (constants.O_NOFOLLOW as number | undefined) ?? 0;
    return await open(path, constants.O_RDONLY | noFollow);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
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
  }
}

/** Creates a folder below another one, with its parents, for their owner alone. */
export async function makeFolder(root: string, path: string, owner?: Owner): Promise<void> {
  const folder = join(root, path);
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (created === undefined || owner === undefined) return;
  for (let one = folder; one.length >= created.length; one = dirname(one)) {
    await chown(one, owner.uid, owner.gid);
  }
}

/** Flushes a folder's entries to the disk. Windows cannot, and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
