/** Finds a backup. A folder is either a backup or contains backups and the WAL archive. */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { StartError } from "../platform/errors/index.ts";
import { type Manifest, MANIFEST, readManifest } from "./contents/index.ts";

/** The name of the folder with the archived log files, which is next to the backups in BACKUP_DIR. */
export const ARCHIVE = "wal";

export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The archive that contains the log written after the backup. Undefined if there is none. */
  readonly archive: string | undefined;
}

export interface StoredBackup {
  readonly name: string;
  readonly folder: string;
}

/** Returns the complete backups in a folder, oldest first. They are named after their start times. */
export const listBackups = (folder: string): readonly StoredBackup[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^\d{8}T\d{6}Z$/.test(name) && existsSync(join(folder, name, MANIFEST)))
    .toSorted()
    .map((name) => ({ name, folder: join(folder, name) }));

/** Finds the backup from which to restore a point in time: the newest one that was completed before it. */
export function findBackup(path: string, at: Date | undefined): Backup {
  const folder = resolve(path);
  const isBackup = existsSync(join(folder, MANIFEST));
  const candidates = isBackup ? [{ folder }] : listBackups(folder);
  const archiveIn = isBackup ? join(folder, "..", ARCHIVE) : join(folder, ARCHIVE);
  const archive = existsSync(archiveIn) ? archiveIn : undefined;
  for (const one of candidates.toReversed()) {
    const manifest = readManifest(one.folder);
    if (at !== undefined && new Date(manifest.finished_at) > at) continue;
    return { folder: one.folder, manifest, archive };
  }
  const [oldest] = candidates;
  if (oldest === undefined) {
    throw new StartError(
      `${folder} contains no backup. Specify a backup folder, or the folder that BACKUP_DIR names.`,
    );
  }
  const { finished_at } = readManifest(oldest.folder);
  throw new StartError(
    `The oldest backup in ${folder} can be restored only to ${finished_at} or later. Choose a later time for --at.`,
  );
}
