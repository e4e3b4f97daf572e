/** Creating the cluster at the first start: initdb, its password, and the disk space that it needs. */

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

/** A new database with its log takes 70 MB and some 1,700 files; the rest is for the first records. */
const NEEDED_bytes = 256 * 1024 * 1024;
const NEEDED_files = 4_000;

const MB = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;

/**
 * The superuser's password. Creates the cluster with it if there is none yet. Throws a StartError if the
 * password of an existing cluster is missing, or the disk has no room for a new one.
 */
export async function openPassword(dataDir: string, cluster: Cluster): Promise<string> {
  const path = join(dataDir, "database-password");
  const stored = readSecret(path);
  if (existsSync(join(dataOf(cluster), "PG_VERSION"))) {
    if (stored !== undefined) return stored;
    throw new StartError(
      `${path} is missing, and the database in ${cluster.folder} opens with nothing else. ` +
        "Restore that file. To begin with an empty database instead, set DATA_DIR to a new folder.",
    );
  }
  const { bsize, bavail, files, ffree } = statfsSync(cluster.folder);
  const hasFiles = files === 0 || ffree >= NEEDED_files;
  if (bavail * bsize < NEEDED_bytes || !hasFiles) throw noRoom(cluster.folder);
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

function noRoom(folder: string): StartError {
  const { bsize, bavail, files, ffree } = statfsSync(folder);
  const inodes = files === 0 ? "" : ` and room for ${ffree} files`;
  return new StartError(
    `The disk of ${folder} has no space for a new database: ${MB(bavail * bsize)}${inodes} are free, and ` +
      `${MB(NEEDED_bytes)} and ${NEEDED_files} files are needed. ` +
      "Free some space, or set DATA_DIR to a folder on another disk.",
  );
}

/** Creates a cluster. Killed half-way, it leaves none, and the next call starts over. */
async function makeCluster(cluster: Cluster, passwordFile: string): Promise<void> {
  // An initdb whose start was killed may still be writing to it for a moment.
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
    // By code point and the same on every machine, with Unicode's rules for letters.
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
    if (/No space left on device|Disk quota exceeded/.test(output)) throw noRoom(cluster.folder);
    throw new StartError(`The database cannot be created in ${cluster.folder}: ${tailOf(output)}`);
  }
  renameSync(draft, dataOf(cluster));
}
