/** Creates the cluster on the first start: checks the disk space, generates a password, and runs initdb. */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readSecret, writeSecret } from "../storage/index.ts";
import { StartError } from "../errors/index.ts";
import { type Cluster, dataOf, spawnOptions, SUPERUSER, tailOf } from "./postmaster.ts";

/**
 * The required disk space. A new database with its WAL takes 70 MB and about 1,700 files. The rest is for the first
 * records.
 */
const NEEDED_bytes = 256 * 1024 * 1024;
const NEEDED_files = 4_000;

const MB = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;

/**
 * Returns the superuser's password. Creates the cluster if it does not exist yet. Throws a StartError if the password
 * of an existing cluster is missing, or if there is not enough disk space for a new cluster.
 */
export async function openPassword(dataDir: string, cluster: Cluster): Promise<string> {
  const path = join(dataDir, "database-password");
  const stored = readSecret(path);
  if (existsSync(join(dataOf(cluster), "PG_VERSION"))) {
    if (stored !== undefined) return stored;
    throw new StartError(
      `${path} is missing. It contains the password of the database in ${cluster.folder}. ` +
        "Restore that file. To start with an empty database instead, set DATA_DIR to a new folder.",
    );
  }
  const { bsize, bavail, files, ffree } = statfsSync(cluster.folder);
  const hasFiles = files === 0 || ffree >= NEEDED_files;
  if (bavail * bsize < NEEDED_bytes || !hasFiles) throw diskFull(cluster.folder);
  const password = stored ?? randomBytes(24).toString("base64url");
  if (stored === undefined) writeSecret(path, password);
  const copy = join(cluster.folder, "password");
  try {
    writeFileSync(copy, `${password}\n`, { mode: 0o600 });
    if (cluster.runAs !== undefined) chownSync(copy, cluster.runAs.uid, cluster.runAs.gid);
    await makeCluster(cluster, copy);
  } finally {
    rmSync(copy, { force: true });
  }
  return password;
}

function diskFull(folder: string): StartError {
  const { bsize, bavail, files, ffree } = statfsSync(folder);
  const inodes = files === 0 ? "" : ` and ${ffree} inodes`;
  return new StartError(
    `Not enough disk space for a new database in ${folder}: ${MB(bavail * bsize)}${inodes} are free, but ` +
      `${MB(NEEDED_bytes)} and ${NEEDED_files} inodes are needed. ` +
      "Free some space, or set DATA_DIR to a folder on another disk.",
  );
}

/** Creates a cluster. If the process is killed midway, no cluster exists yet, and the next call starts over. */
async function makeCluster(cluster: Cluster, passwordFile: string): Promise<void> {
  // If an earlier start was killed, its initdb may still write to the folder for a short time.
  const patience = { maxRetries: 10, retryDelay: 100 };
  for (const name of readdirSync(cluster.folder).filter((one) => one.startsWith("data."))) {
    rmSync(join(cluster.folder, name), { recursive: true, force: true, ...patience });
  }
  const draft = join(cluster.folder, `data.${process.pid}`);
  const args = [
    "--pgdata",
    draft,
    "--username",
    SUPERUSER,
    "--pwfile",
    passwordFile,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--no-instructions",
    // This locale sorts by code point, so that the order is the same on every machine, and it classifies letters as
    // Unicode does.
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    "--lc-messages=C",
  ];
  const output = await new Promise<string | undefined>((resolve, reject) => {
    const child = spawn(cluster.binaries.initdb, args, spawnOptions(cluster));
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.stderr.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0 ? undefined : text));
  });
  if (output !== undefined) {
    rmSync(draft, { recursive: true, force: true });
    if (/No space left on device|Disk quota exceeded/.test(output)) throw diskFull(cluster.folder);
    throw new StartError(`Cannot create the database in ${cluster.folder}: ${tailOf(output)}`);
  }
  renameSync(draft, dataOf(cluster));
}
