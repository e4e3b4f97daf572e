/**
 * Where the cluster of a data folder is: below it, or where PostgreSQL's user can reach it. A database
 * that the data folder has, or once had, is never passed over: if it is missing, closed to PostgreSQL's
 * user, or another one, the start is refused with the command that fixes it.
 */

import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { readSecret, shellWord, unwritable } from "../storage/index.ts";
import { StartError } from "../errors/index.ts";
import { findBinaries } from "./binaries.ts";
import {
  type InstallationFile,
  installationFileOf,
  isBelow,
  readInstallationFile,
  recordedFolder,
  systemIdentifierOf,
  writeInstallationFile,
} from "./installation-file.ts";
import type { Cluster } from "./postmaster.ts";
import {
  enters,
  makePublicFolder,
  obstacleTo,
  ourselves,
  runAsFor,
  STATE_FOLDER,
} from "./run-as.ts";

const below = (dataDir: string): string => join(dataDir, "postgres");

/** The place outside of a data folder: the same at every start, and different for each data folder. */
const outside = (dataDir: string): string =>
  join(STATE_FOLDER, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));

/** Where earlier releases recorded a cluster that is not below the data folder. */
const earlierRecordOf = (dataDir: string): string => join(dataDir, "postgres-folder");

/**
 * The cluster of a data folder and the user who runs it. Its `data` does not exist yet at the first start;
 * call `recordCluster` once it does. Throws a StartError if the cluster is not the recorded one, cannot
 * be reached, or is one of two.
 */
export function findCluster(dataDir: string): Cluster {
  const recorded = readInstallationFile(dataDir);
  const folder = recorded === undefined ? onlyCandidate(dataDir) : checkedFolder(dataDir, recorded);
  if (folder === undefined) return firstCluster(dataDir);
  const runAs = runAsFor(join(folder, "data"));
  mustReach(runAs, folder);
  if (recorded !== undefined) mustBeRecorded(dataDir, folder, recorded);
  return open(folder, runAs);
}

/** Records the cluster as that of the data folder, and lets go of an earlier release's record. */
export function recordCluster(dataDir: string, { folder }: Cluster): void {
  if (existsSync(installationFileOf(dataDir))) return;
  writeInstallationFile(dataDir, folder);
  rmSync(earlierRecordOf(dataDir), { force: true });
}

/** The folder of a data folder's cluster, as it is recorded. */
export function clusterFolder(dataDir: string): string {
  const file = readInstallationFile(dataDir);
  return file === undefined ? below(dataDir) : recordedFolder(dataDir, file);
}

/** Whether a data folder belongs to an installation that was started before. */
export const isInstalled = (dataDir: string): boolean =>
  [installationFileOf(dataDir), below(dataDir), join(dataDir, "database-password")].some(isThere);

/** Whether a folder holds a cluster. */
const holdsCluster = (folder: string): boolean => isThere(join(folder, "data/PG_VERSION"));

/** What cannot be opened is taken to be there. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return true;
    throw error;
  }
}

function checkedFolder(dataDir: string, recorded: InstallationFile): string {
  const folder = recordedFolder(dataDir, recorded);
  if (holdsCluster(folder)) return folder;
  throw new StartError(
    `${dataDir} held a database with the system identifier ${recorded.system_identifier}, ` +
      `which is not in ${folder}. Restore that folder. To begin with an empty database instead, ` +
      "set DATA_DIR to a new folder.",
  );
}

function mustBeRecorded(dataDir: string, folder: string, recorded: InstallationFile): void {
  const found = systemIdentifierOf(folder);
  if (found === recorded.system_identifier) return;
  const file = installationFileOf(dataDir);
  throw new StartError(
    `The database in ${folder} is not the one of ${dataDir}: its system identifier is ${found}, and ` +
      `${file} records ${recorded.system_identifier}. Restore the right database. ` +
      `If you replaced it on purpose, run this command and start again:\n  rm ${shellWord(file)}`,
  );
}

/** The cluster of a folder without installation.json; undefined if it never had one. */
function onlyCandidate(dataDir: string): string | undefined {
  const noted = readSecret(earlierRecordOf(dataDir));
  const places = new Set([below(dataDir), outside(dataDir), noted ?? below(dataDir)]);
  const found = [...places].filter(holdsCluster);
  if (found.length === 0) mustBeNew(dataDir);
  if (found.length <= 1) return found[0];
  const list = found.map((folder) => `  ${folder} (${description(folder)})\n`);
  throw new StartError(
    `Two databases may belong to ${dataDir}, and nothing records which one does:\n${list.join("")}` +
      "Move the one that you do not need to another place (mv FOLDER FOLDER.unused) and start again.",
  );
}

function description(folder: string): string {
  try {
    const data = join(folder, "data");
    const files = readdirSync(data, { recursive: true, encoding: "utf8" });
    const sizes = files.map((name) => statSync(join(data, name), { throwIfNoEntry: false })?.size);
    const size_bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
    const written = statSync(join(data, "global/pg_control")).mtime.toISOString();
    return `system identifier ${systemIdentifierOf(folder)}, ${Math.round(size_bytes / 1e6)} MB, last written ${written}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * A first start writes the password before the cluster, and these once the database is there. With
 * DATABASE_URL there is no password.
 */
function mustBeNew(dataDir: string): void {
  const has = (name: string) => existsSync(join(dataDir, name));
  const held = ["owner-token", "master-key"].find(has);
  if (!has("database-password") || held === undefined || has("owner-token.owed")) return;
  throw new StartError(
    `${dataDir} held a database (it still has ${held}), which is not in ${below(dataDir)}. ` +
      "Restore that folder. To begin with an empty database instead, set DATA_DIR to a new folder.",
  );
}

/** On the first start only, a data folder that PostgreSQL's user cannot enter gets its cluster elsewhere. */
function firstCluster(dataDir: string): Cluster {
  const runAs = runAsFor(below(dataDir));
  const isEntered = runAs === undefined || enters(runAs, dataDir);
  return open((isEntered ? below : outside)(dataDir), runAs);
}

function open(folder: string, runAs: Cluster["runAs"]): Cluster {
  const binaries = findBinaries(runAs);
  try {
    if (isBelow(STATE_FOLDER, folder)) makePublicFolder(STATE_FOLDER);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (runAs !== undefined) chownSync(folder, runAs.uid, runAs.gid);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw unwritable(folder, error);
  }
  return { folder, binaries, runAs };
}

function mustReach(runAs: Cluster["runAs"], folder: string): void {
  const user = runAs ?? ourselves();
  const obstacle = user && obstacleTo(user, folder);
  if (obstacle === undefined) return;
  throw new StartError(
    `PostgreSQL runs as the user ${user?.name} and cannot open the database in ${folder}: ` +
      `${obstacle.what}. Run this command and start again:\n  ${obstacle.command}`,
  );
}
