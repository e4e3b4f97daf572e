/**
 * BACKUP_DIR contains the backups of one database, and one service uses it at a time. Otherwise, a copy of an
 * installation, such as one created for a restore drill, would remove the backups of the original and mix up their logs.
 */

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "../platform/clock/index.ts";
import { readInstallationFile } from "../platform/embedded/index.ts";
import { readSecret, writeSecret } from "../platform/storage/index.ts";
import { physicalManifestIn } from "./contents/index.ts";
import { listBackups } from "./find-backup.ts";

const SEEN_EVERY_ms = 30_000;
/** How long after a service was last seen another one takes over the folder. */
const GONE_ms = 5 * 60_000;

/** The content of BACKUP_DIR/used-by.json. */
interface Use {
  /** The id of the service's data folder. A restored data folder has a new id. */
  readonly id: string;
  readonly data_dir: string;
  readonly host: string;
  readonly seen_at: string;
}

interface Folders {
  readonly backupDir: string;
  readonly dataDir: string;
}

const useFile = (backupDir: string): string => join(backupDir, "used-by.json");
const idFile = (dataDir: string): string => join(dataDir, "backup-id");

export interface Obstacle {
  readonly what: string;
  readonly remedy: string;
  /** If another service uses the folder, when it was last seen. */
  readonly seen_at?: string;
}

/** Returns why the service of a data folder must not use BACKUP_DIR. Returns undefined if it may. */
export function obstacleIn({ backupDir, dataDir }: Folders, now_ms: number): Obstacle | undefined {
  const newest = listBackups(backupDir).at(-1);
  const ours = readInstallationFile(dataDir)?.system_identifier;
  // If the manifest cannot be read, the check for due backups reports that.
  const theirs = newest && physicalManifestIn(newest.folder)?.system_identifier;
  if (ours !== undefined && theirs !== undefined && ours !== theirs) {
    const what = `${backupDir} contains the backups of another database (system identifier ${theirs}).`;
    return { what, remedy: "Set BACKUP_DIR to a new folder." };
  }
  const use = readUse(backupDir);
  if (use === undefined || isOurs(use, dataDir)) return undefined;
  const isRecent = Math.abs(now_ms - Date.parse(use.seen_at)) <= GONE_ms;
  if (!isRecent) return undefined;
  return {
    seen_at: use.seen_at,
    what: `${backupDir} is used by the service with the data folder ${use.data_dir} on ${use.host}, last seen at ${use.seen_at}.`,
    remedy:
      "Set BACKUP_DIR to another folder. If the other service no longer runs, this one starts to use the folder within " +
      "6 minutes.",
  };
}

/** Whether the service of a data folder uses BACKUP_DIR. A copy of the data folder has the same id, but another path. */
const isOurs = ({ id, data_dir }: Use, dataDir: string): boolean =>
  id === readSecret(idFile(dataDir)) && data_dir === dataDir;

function readUse(backupDir: string): Use | undefined {
  try {
    return (JSON.parse(readSecret(useFile(backupDir)) ?? "") as Use | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export interface FolderUse {
  /** Records that this service uses BACKUP_DIR, unless it must not. Checks this only every 30 s. Returns the state. */
  readonly claim: () => FolderState;
  /** The state after the last claim. */
  readonly state: () => FolderState;
}

/**
 * Whether this service uses BACKUP_DIR. After a rollback or a restore, it waits until it is clear whether the service
 * that used the folder has stopped. Only if that service is seen again is there an obstacle.
 */
export type FolderState = "used" | "waiting" | Obstacle;

export function createFolderUse(folders: Folders, clock: Clock): FolderUse {
  let next_ms = 0;
  let state: FolderState = "waiting";
  let first: string | undefined;
  return {
    claim: () => {
      const now_ms = clock.now_ms();
      if (now_ms < next_ms) return state;
      const obstacle = obstacleIn(folders, now_ms);
      if (obstacle === undefined) record(folders, now_ms);
      const seen_at = obstacle?.seen_at;
      first ??= seen_at;
      state = obstacle ?? "used";
      if (seen_at !== undefined && seen_at === first) state = "waiting";
      next_ms = now_ms + SEEN_EVERY_ms;
      return state;
    },
    state: () => state,
  };
}

function record({ backupDir, dataDir }: Folders, now_ms: number): void {
  const known = readSecret(idFile(dataDir));
  const id = known ?? randomUUID();
  if (known === undefined) writeSecret(idFile(dataDir), id);
  const seen_at = new Date(now_ms).toISOString();
  const use: Use = { id, data_dir: dataDir, host: hostname(), seen_at };
  writeSecret(useFile(backupDir), JSON.stringify(use, undefined, 2));
}
