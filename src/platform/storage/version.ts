/** The version of this Leadport release, and the commit from which it was built. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

const { version, gitHead } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
  /** The commit from which a package was built. */
  readonly gitHead?: string;
};

export const VERSION = version;

/** Returns the hash of this program's commit; undefined if it is neither a package nor in a git repository. */
export function commit(): string | undefined {
  if (gitHead !== undefined) return gitHead;
  checkedOut ??= [headOf(join(ROOT, ".git"))];
  return checkedOut[0];
}
let checkedOut: [string | undefined] | undefined;

function headOf(repository: string): string | undefined {
  const args = ["--git-dir", repository, "rev-parse", "HEAD"];
  try {
    // With an explicit folder, git does not look for a repository in the parent folders.
    return execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined;
  }
}
