/** BACKUP_DIR/status.json: the results of automatic backups, for metrics, `leadport doctor` and the operator. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSecret, writeSecret } from "../platform/storage/index.ts";

export interface BackupStatus {
  /** The newest backup: its folder, the earliest point in time that it can restore, and how long it took. */
  readonly backup?: string;
  readonly succeeded_at?: string;
  readonly bytes?: number;
  readonly seconds?: number;
  /** When the newest backup was verified. */
  readonly verified_at?: string;
  /** The newest failure, which may be older than the newest success. */
  readonly failed_at?: string;
  readonly failure?: string;
}

const pathOf = (folder: string): string => join(folder, "status.json");

/** Reads the status. It is empty if the file is missing or unreadable. */
export function readStatus(folder: string): BackupStatus {
  if (!existsSync(folder)) return {};
  try {
    return Object(JSON.parse(readSecret(pathOf(folder)) ?? "{}")) as BackupStatus;
  } catch {
    return {};
  }
}

/** Changes some fields of the status. Backups and log archiving, which run at the same time, both call this. */
export function updateStatus(folder: string, changes: BackupStatus): void {
  writeSecret(pathOf(folder), JSON.stringify({ ...readStatus(folder), ...changes }, undefined, 2));
}
