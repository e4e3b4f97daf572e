/**
 * The target folder of a backup. The backup is first written to a draft folder next to the target.
 * When it is complete, the draft becomes the target.
 */

import { existsSync, realpathSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, rmdir, statfs, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { codeOf, StartError } from "../platform/errors/index.ts";
import { syncFolder, type Manifest, MANIFEST } from "./contents/index.ts";

/**
 * The space that a backup needs in addition to the measured files. It is for the log that is written during the backup.
 */
const LOG_bytes = 64 * 1024 * 1024;
const MB = 1024 * 1024;

interface TargetOptions {
  /** Folders that must not contain the target. */
  readonly outside: readonly string[];
  readonly needed_bytes: number;
}

/** Creates the draft of a backup. Throws a StartError if the target cannot be used. */
export async function openTarget(target: string, options: TargetOptions): Promise<string> {
  const path = resolve(target);
  for (const folder of options.outside) mustBeOutside(path, folder);
  if (existsSync(path) && (await readdir(path)).length > 0) {
    throw new StartError(`${path} is not empty. Choose a new folder for the backup.`);
  }
  const draft = `${path}.partial`;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await chmod(draft, 0o700);
  } catch (error) {
    const code = codeOf(error);
    throw new StartError(
      `${draft} cannot be created (${code}). Choose a folder that you can write to.`,
      {
        cause: error,
      },
    );
  }
  await mustHaveSpace(draft, options.needed_bytes);
  return draft;
}

/** Throws a StartError if a path is inside a folder, even through a link. The path need not exist. */
export function mustBeOutside(path: string, folder: string): void {
  const inner = relative(realPathOf(folder), realPathOf(path));
  if (inner !== "" && (inner === ".." || inner.startsWith("../"))) return;
  throw new StartError(
    `${path} is inside ${folder}, the folder to back up. Choose a folder outside of it, preferably on another disk.`,
  );
}

const realPathOf = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path));

/** Throws a StartError if a folder's disk has too little free space for a copy. */
export async function mustHaveSpace(folder: string, needed_bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free_bytes = bavail * bsize;
  const all_bytes = needed_bytes + LOG_bytes;
  if (free_bytes >= all_bytes) return;
  throw new StartError(
    `The disk of ${folder} has ${Math.floor(free_bytes / MB)} MB free, but the copy needs ` +
      `${Math.ceil(all_bytes / MB)} MB. Free some space, or choose a folder on another disk.`,
  );
}

/**
 * Writes the manifest, and renames the draft to the target. When the promise resolves, everything has been flushed to
 * disk.
 */
export async function finishTarget(
  draft: string,
  target: string,
  manifest: Manifest,
): Promise<void> {
  const text = JSON.stringify(manifest);
  await writeFile(join(draft, MANIFEST), `${text}\n`, { mode: 0o600, flush: true });
  await syncFolder(draft);
  const path = resolve(target);
  if (existsSync(path)) await rmdir(path);
  await rename(draft, path);
  await syncFolder(dirname(path));
}
