/**
 * Locates the cluster of a data folder: inside the data folder, or in another folder that
 * PostgreSQL's user can access. An existing database is never ignored. If it is missing,
 * inaccessible, or not the recorded one, startup fails with a message that explains how to fix it.
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
import { openDataFolder, readSecret, shellWord, unwritable } from "../storage/index.ts";
import { codeOf, messageOf, StartError } from "../errors/index.ts";
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
  canEnter,
  currentUser,
  makePublicFolder,
  obstacleTo,
  runAsFor,
  STATE_FOLDER,
} from "./run-as.ts";

const below = (dataDir: string): string => join(dataDir, "postgres");

/**
 * Returns the folder for a cluster that is stored outside its data folder. Each data folder has its own, which never
 * changes.
 */
const outside = (dataDir: string): string =>
  join(STATE_FOLDER, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));

/** Returns the file in which earlier releases recorded a cluster outside the data folder. */
const earlierRecordOf = (dataDir: string): string => join(dataDir, "postgres-folder");

/**
 * Returns the cluster of a data folder and the user that runs it. On the first start, the cluster's `data` folder does
 * not exist yet; call `recordCluster` once it does. Throws a StartError if the cluster is not the recorded one or is
 * inaccessible, or if there are several candidates.
 */
export function findCluster(dataDir: string, { mayRestore = false } = {}): Cluster {
  if (!mayRestore) mustNotBeRestoring(dataDir);
  const recorded = readInstallationFile(dataDir);
  const folder = recorded === undefined ? onlyCandidate(dataDir) : checkedFolder(dataDir, recorded);
  if (folder === undefined) return firstCluster(dataDir);
  const runAs = runAsFor(join(folder, "data"));
  mustReach(runAs, folder);
  if (recorded !== undefined) mustBeRecorded(dataDir, folder, recorded);
  return open(folder, runAs);
}

/** Records the cluster of a data folder, and removes the record of an earlier release. */
export function recordCluster(dataDir: string, { folder }: Cluster, installationId?: string): void {
  if (existsSync(installationFileOf(dataDir))) return;
  writeInstallationFile(dataDir, folder, installationId);
  rmSync(earlierRecordOf(dataDir), { force: true });
}

/** Returns the recorded cluster folder of a data folder. */
export function clusterFolder(dataDir: string): string {
  const file = readInstallationFile(dataDir);
  return file === undefined ? below(dataDir) : recordedFolder(dataDir, file);
}

/** Returns all folders that may contain the cluster of a data folder. */
export const clusterPlaces = (dataDir: string): ReadonlySet<string> =>
  new Set([clusterFolder(dataDir), below(dataDir), outside(dataDir)]);

/** Whether a data folder belongs to an existing installation. */
export const isInstalled = (dataDir: string): boolean =>
  [installationFileOf(dataDir), below(dataDir), join(dataDir, "database-password")].some(exists);

const hasCluster = (folder: string): boolean => exists(join(folder, "data/PG_VERSION"));

/** Whether a path exists. Paths that cannot be read are assumed to exist. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === "EACCES") return true;
    throw error;
  }
}

function checkedFolder(dataDir: string, recorded: InstallationFile): string {
  const folder = recordedFolder(dataDir, recorded);
  if (hasCluster(folder)) return folder;
  throw new StartError(
    `The database of ${dataDir} (system identifier ${recorded.system_identifier}) ` +
      `is missing from ${folder}. Restore that folder. To start with an empty database instead, ` +
      "set DATA_DIR to a new folder.",
  );
}

function mustBeRecorded(dataDir: string, folder: string, recorded: InstallationFile): void {
  const found = systemIdentifierOf(folder);
  if (found === recorded.system_identifier) return;
  const file = installationFileOf(dataDir);
  throw new StartError(
    `The database in ${folder} does not belong to ${dataDir}: its system identifier is ${found}, but ` +
      `${file} records ${recorded.system_identifier}. Restore the right database. ` +
      `If you replaced it on purpose, run this command and start again:\n  rm ${shellWord(file)}`,
  );
}

/** Returns the cluster of a data folder without installation.json, or undefined if it never had a cluster. */
function onlyCandidate(dataDir: string): string | undefined {
  const noted = readSecret(earlierRecordOf(dataDir));
  const places = new Set([below(dataDir), outside(dataDir), noted ?? below(dataDir)]);
  const found = [...places].filter(hasCluster);
  if (found.length === 0) mustBeNew(dataDir);
  if (found.length <= 1) return found[0];
  const list = found.map((folder) => `  ${folder} (${description(folder)})\n`);
  throw new StartError(
    `More than one database may belong to ${dataDir}, and no record shows which one does:\n${list.join("")}` +
      "Move the databases that you do not need elsewhere (mv FOLDER FOLDER.unused) and start again.",
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
    return messageOf(error);
  }
}

/**
 * Throws a StartError if files in the data folder show that it once had a database. The first start writes the password
 * file before it creates the cluster, and the other files only once the database exists. With DATABASE_URL, there is no
 * password file.
 */
function mustBeNew(dataDir: string): void {
  const has = (name: string) => existsSync(join(dataDir, name));
  const found = ["owner-token", "master-key"].find(has);
  if (!has("database-password") || found === undefined || has("owner-token.owed")) return;
  throw new StartError(
    `The database of ${dataDir} is missing from ${below(dataDir)}, although ${found} still exists. ` +
      "Restore that folder. To start with an empty database instead, set DATA_DIR to a new folder.",
  );
}

/** The subfolder of the cluster's folder where `leadport restore` builds the data directory. */
export const RESTORING = "restoring";

/** Returns the location where the cluster of a new data folder will be created. Creates the data folder itself. */
export function emptyCluster(dataDir: string): Cluster {
  openDataFolder(dataDir);
  mustBeNew(dataDir);
  const cluster = firstCluster(dataDir);
  if (!hasCluster(cluster.folder)) return cluster;
  throw new StartError(
    `There is already a database in ${cluster.folder}, where the database of ${dataDir} would be created. ` +
      "Move it elsewhere, or set DATA_DIR to a new folder.",
  );
}

/**
 * Returns a cluster in a folder that is not part of a data folder. The user that runs the cluster must be able to
 * enter this folder.
 */
export const scratchCluster = (folder: string): Cluster => open(folder, runAsFor(folder));

/** Whether a restore into a data folder was interrupted. */
export const isInterrupted = (dataDir: string): boolean =>
  [...clusterPlaces(dataDir)].some((folder) => existsSync(join(folder, RESTORING)));

function mustNotBeRestoring(dataDir: string): void {
  if (!isInterrupted(dataDir)) return;
  throw new StartError(
    `A restore into ${dataDir} was interrupted. Run leadport restore again, or set DATA_DIR to a new folder.`,
  );
}

/** Places a new cluster in the data folder, or elsewhere if PostgreSQL's user cannot enter the data folder. */
function firstCluster(dataDir: string): Cluster {
  const runAs = runAsFor(below(dataDir));
  const isAccessible = runAs === undefined || canEnter(runAs, dataDir);
  return open((isAccessible ? below : outside)(dataDir), runAs);
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
  const user = runAs ?? currentUser();
  const obstacle = user && obstacleTo(user, folder);
  if (obstacle === undefined) return;
  throw new StartError(
    `PostgreSQL runs as the user ${user?.name} and cannot open the database in ${folder}: ` +
      `${obstacle.what}. Run this command and start again:\n  ${obstacle.command}`,
  );
}
