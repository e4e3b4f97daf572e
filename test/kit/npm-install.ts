/**
 * Installs packages into a temporary folder, for packages that only one test needs and that are too large for `npm ci`.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Owner, temporaryFolder } from "./started.ts";

const run = promisify(execFile);
const INSTALL_TIMEOUT_ms = 540_000;

/** Returns a temporary folder that contains an empty npm package. */
export function temporaryProject(owner: Owner): string {
  const folder = temporaryFolder(owner);
  writeFileSync(join(folder, "package.json"), '{"type": "module", "private": true}');
  return folder;
}

export async function install(folder: string, packages: readonly string[]): Promise<void> {
  const options = [
    "--prefix",
    folder,
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--prefer-offline",
  ];
  const command = ["install", ...options, ...packages];
  await run("npm", command, { cwd: folder, timeout: INSTALL_TIMEOUT_ms }).catch(
    ({ stderr, killed }: { stderr: string; killed: boolean }) => {
      const reason = killed ? `no end after ${INSTALL_TIMEOUT_ms / 1000} s` : stderr;
      const how = "This test needs a package registry that npm can reach";
      assert.fail(`npm could not install ${packages.join(" and ")}. ${how}: ${reason}`);
    },
  );
}
