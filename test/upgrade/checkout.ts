/** Another commit of this repository, installed in a temporary folder. */

import { execFileSync } from "node:child_process";

import { join } from "node:path";
import type { TestContext } from "node:test";
import { folder } from "../running/leadport.ts";

const ROOT = join(import.meta.dirname, "../..");

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

/** Checks the commit out and installs it; the folder, which is removed when the test ends. */
export function checkOut(t: TestContext, commit: string): string {
  const id = git("rev-parse", "--verify", `${commit}^{commit}`);
  const root = join(folder(t), "checkout");
  git("worktree", "add", "--detach", root, id);
  t.after(() => git("worktree", "remove", "--force", root));
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, stdio: "ignore" });
  return root;
}
