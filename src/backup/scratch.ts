/** Folders for temporary databases, which hold copies of all data. */

import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeCluster, removeTemporary } from "../platform/embedded/index.ts";
import { StartError } from "../platform/errors/index.ts";
import { lockFolder, type Release } from "../platform/storage/index.ts";

const NAMES = ["verify", "import"] as const;

interface Scratch {
  /** The parent folder. Default: the system's folder for temporary files. */
  readonly parent: string | undefined;
  readonly name: (typeof NAMES)[number];
}

const SCRATCH = new RegExp(`^leadport-(${NAMES.join("|")})-\\w{6}$`);

/**
 * Returns the paths of the data folder and the cluster in a scratch folder. Use no others, because the cleanup after a
 * killed process looks only there.
 */
export const dataDirIn = (path: string): string => join(path, "data");
export const clusterIn = (path: string): string => join(path, "cluster");

/**
 * Runs work in a temporary folder that every user may enter and that is removed at the end. First removes folders that
 * killed commands left behind. Throws a StartError if the parent folder cannot be read.
 */
export async function inScratch<T>(
  { parent = tmpdir(), name }: Scratch,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await removeAbandoned(parent);
  const { path, release } = await lockedFolder(join(parent, `leadport-${name}-`));
  await chmod(path, 0o711);
  try {
    return await work(path);
  } finally {
    await remove(path);
    release();
  }
}

/** Creates and locks a folder. Creates another one if a concurrent command removes it before it is locked. */
async function lockedFolder(prefix: string) {
  for (;;) {
    const path = await mkdtemp(prefix);
    const release = lockExisting(path);
    if (release !== undefined) return { path, release };
  }
}

/** Locks a folder. Returns undefined if another process has locked or removed it. */
function lockExisting(path: string): Release | undefined {
  try {
    return lockFolder(path, "command");
  } catch (error) {
    if (existsSync(path)) throw error;
    return undefined;
  }
}

/**
 * Removes a locked folder. Retries, because a concurrent command that tries to lock the folder may create files in it.
 */
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch((error: Error) => {
    throw new StartError(`The scratch folder ${parent} cannot be used (${error.message}).`, {
      cause: error,
    });
  });
  for (const name of names) {
    const path = join(parent, name);
    if (!SCRATCH.test(name) || !(await isOurs(path))) continue;
    const release = lockExisting(path);
    // The folder is locked, so the command that created it is still running.
    if (release === undefined) continue;
    try {
      await removeTemporary(dataDirIn(path));
      await removeCluster(clusterIn(path));
      await remove(path);
    } finally {
      release();
    }
  }
}

/** Whether this user created and locked a folder. In a shared parent folder, a matching name does not prove that. */
async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return (
    found?.isDirectory() === true &&
    found.uid === process.getuid?.() &&
    existsSync(join(path, "lock"))
  );
}
