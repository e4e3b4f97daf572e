/** Checks out a commit with its packages, in a git worktree that is removed afterward. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UsageError } from "../options.ts";

export const ROOT = join(import.meta.dirname, "../..");

async function git(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)("git", args, { cwd: ROOT })).stdout.trim();
}

/** Returns the full hash of a commit. Throws if there is no such commit. */
export async function commitOf(name: string): Promise<string> {
  try {
    return await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
  } catch {
    throw new UsageError(`${JSON.stringify(name)} names no commit of this repository`);
  }
}

/** Returns the commit of the working tree, and whether there are uncommitted changes. */
export async function workingTree(): Promise<{ commit: string; isChanged: boolean }> {
  const changes = await git("status", "--porcelain", "--untracked-files=no");
  return { commit: await git("rev-parse", "HEAD"), isChanged: changes !== "" };
}

/**
 * Checks out a commit into a folder that does not exist yet. The checkout shares the packages of the
 * working tree if both have the same lock file and patches; otherwise packages are installed.
 */
export async function checkOut(commit: string, folder: string): Promise<void> {
  await git("worktree", "add", "--detach", "--quiet", folder, commit);
  if (await hasSamePackages(commit)) {
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await buildPages(folder);
    return;
  }
  console.error("Installing the packages of the commit.");
  const child = spawn("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`npm ci failed in the checkout of ${commit}`);
}

/**
 * Builds a checkout's pages if needed. A service without pages has fewer routes and plugins, so its requests cost less.
 */
export async function buildPages(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, ["console/build.mjs"], { cwd: folder });
}

async function hasSamePackages(commit: string): Promise<boolean> {
  try {
    await git("diff", "--quiet", commit, "--", "package-lock.json", "patches");
    return true;
  } catch {
    return false;
  }
}

/** Removes a checkout, even an incomplete one. */
export async function removeCheckout(folder: string): Promise<void> {
  await git("worktree", "remove", "--force", folder);
}
