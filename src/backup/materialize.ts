/**
 * Copies the data directory out of a physical backup. A backup is untrusted input: only files
 * listed in the manifest are copied, no link is followed, every checksum is compared, and settings
 * are written from scratch.
 */

import { chownSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pMap from "p-map";
import { StartError } from "../platform/errors/index.ts";
import {
  belongsInBackup,
  NEW_SETTINGS,
  AT_ONCE,
  copyFile,
  type CopyOptions,
  makeFolder,
  syncFolder,
  type BackupFile,
  type Manifest,
  MANIFEST,
  type PhysicalManifest,
} from "./contents/index.ts";

export const sizeOf = ({ files }: Manifest): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Throws a StartError unless a backup consists of exactly the files that its manifest lists. */
export async function checkTree(folder: string, manifest: Manifest): Promise<void> {
  const listed = new Set<string>();
  for (const { path } of manifest.files) {
    const isAllowed =
      manifest.kind === "logical"
        ? path.startsWith("tables/")
        : path === "data/backup_label" ||
          (path.startsWith("data/") && belongsInBackup(path.slice(5)));
    if (!isAllowed)
      throw bad(folder, `The manifest lists ${path}, which does not belong in a backup`);
    if (listed.has(path)) throw bad(folder, `The manifest lists ${path} twice`);
    listed.add(path);
  }
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isSymbolicLink()) throw bad(folder, `${path} is a link`);
      if (entry.isDirectory()) await walk(path);
      else if (!entry.isFile()) throw bad(folder, `${path} is not a regular file`);
      else if (path !== MANIFEST && !listed.delete(path)) {
        throw bad(folder, `${path} is not listed in the manifest`);
      }
    }
  };
  await walk("");
  const [missing] = listed;
  if (missing !== undefined) throw bad(folder, `${missing} is missing`);
}

const bad = (folder: string, why: string): StartError =>
  new StartError(`The backup in ${folder} cannot be used: ${why}. Use another backup.`);

/** Copies the files of a physical backup to a new data directory. Call `checkTree` first. */
export async function materialize(
  { folder, manifest }: { readonly folder: string; readonly manifest: PhysicalManifest },
  data: string,
  options: CopyOptions,
): Promise<void> {
  const { owner } = options;
  await makeFolder(data, "", owner);
  for (const path of manifest.folders) {
    if (!path.startsWith("data/")) throw bad(folder, `The manifest lists the folder ${path}`);
    await makeFolder(data, path.slice(5), owner);
  }
  for (const path of ["pg_wal/archive_status", "pg_tblspc"]) await makeFolder(data, path, owner);
  const copyOne = async ({ path, bytes, sha256 }: BackupFile): Promise<void> => {
    const copied = await copyFile(join(folder, path), join(data, path.slice(5)), options);
    if (copied?.bytes === bytes && copied.sha256 === sha256) return;
    throw bad(folder, `${path} is damaged: its size or checksum differs from the manifest`);
  };
  await pMap(manifest.files, copyOne, { concurrency: AT_ONCE });
  for (const [name, text] of Object.entries(NEW_SETTINGS)) {
    const path = join(data, name);
    await writeFile(path, text, { mode: 0o600, flush: true });
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  }
  await syncFolder(data);
}
