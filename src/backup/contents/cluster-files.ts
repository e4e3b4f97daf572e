/**
 * Selects the files of PostgreSQL's data directory for a physical backup
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA).
 */

import type { Dirent } from "node:fs";
import { readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../../platform/errors/index.ts";

/**
 * Folders that are backed up without their contents, which PostgreSQL recreates. `log` is one of them because it may
 * contain row values.
 */
const CONTENTS_LEFT_OUT = new Set(
  [
    "pg_wal",
    "pg_replslot",
    "pg_dynshmem",
    "pg_notify",
    "pg_serial",
    "pg_snapshots",
    "pg_stat_tmp",
    "pg_subtrans",
  ].concat("log"),
);
/** Settings are never restored from a backup, because they can name programs to run. */
const SETTINGS_FILES = ["postgresql.conf", "postgresql.auto.conf", "pg_hba.conf", "pg_ident.conf"];
const LEFT_OUT = new Set([
  ...SETTINGS_FILES,
  "postmaster.pid",
  "postmaster.opts",
  "backup_label",
  "backup_label.old",
  "tablespace_map",
  "tablespace_map.old",
  "backup_manifest",
  "current_logfiles",
  "recovery.signal",
  "standby.signal",
]);
/** This file is copied last. It is read repeatedly until the copy is consistent. */
export const CONTROL_FILE = "global/pg_control";

const isTemporary = (name: string): boolean =>
  name.startsWith("pgsql_tmp") || name.startsWith("pg_internal.init");

/** Whether a backup may contain a file. The path is relative to the data directory. */
export const belongsInBackup = (path: string): boolean => {
  const parts = path.split("/");
  const [first = "", ...below] = parts;
  if (below.length === 0) return !LEFT_OUT.has(first) && !isTemporary(first);
  if (first === "pg_wal")
    return below.length === 1 && /^[0-9A-F]{24}$|^[0-9A-F]{8}\.history$/.test(below[0] ?? "");
  return first !== "pg_tblspc" && !CONTENTS_LEFT_OUT.has(first) && !parts.some(isTemporary);
};

export interface ClusterFiles {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly bytes: number;
}

/** Returns the folders and files to copy. Throws a StartError if the cluster uses tablespaces. */
export async function listCluster(data: string): Promise<ClusterFiles> {
  const folders: string[] = [];
  const files: string[] = [];
  let bytes = 0;
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(data, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (folder === "pg_tblspc") throw await tablespace(data, path);
      if (entry.isDirectory()) {
        if (isTemporary(entry.name)) continue;
        folders.push(path);
        if (!CONTENTS_LEFT_OUT.has(path)) await walk(path);
      } else if (isCopied(entry, path)) {
        files.push(path);
        bytes += (await stat(join(data, path)).catch(() => undefined))?.size ?? 0;
      }
    }
  };
  await walk("");
  return { folders, files, bytes };
}

const isCopied = (entry: Dirent, path: string): boolean => entry.isFile() && belongsInBackup(path);

async function tablespace(data: string, path: string): Promise<StartError> {
  const target = await readlink(join(data, path)).catch(() => "another folder");
  return new StartError(
    `The database has a tablespace in ${target}, which a physical backup does not include. ` +
      "Move its tables to the default tablespace, or use --logical.",
  );
}

/** The settings file of a restored data directory. All our settings are passed to the server as arguments. */
export const NEW_SETTINGS: Readonly<Record<string, string>> = {
  "postgresql.conf": "# Leadport passes all settings as arguments.\n",
  "postgresql.auto.conf": "",
  "pg_ident.conf": "",
  "pg_hba.conf": [
    "local all all scram-sha-256",
    "host all all 127.0.0.1/32 scram-sha-256",
    "host all all ::1/128 scram-sha-256",
    "",
  ].join("\n"),
};
