/** Copies the project, so that tests can add something to it, and runs commands in the copy. */

import { execFile, type ExecFileException } from "node:child_process";
import { cp, symlink } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { ROOT } from "../../tools/sources.ts";
import { temporaryFolder } from "../kit/started.ts";

/** The parts of the project that the copy needs. The packages are the project's own. */
const COPIED = [
  ".oxfmtrc.json",
  "package.json",
  "tsconfig.json",
  "openapi.json",
  "bin",
  "src",
  "sdk",
  "console",
  "migrations",
  "test",
  "tools",
  "docs",
  "examples",
  "monitoring",
  "bench",
  "changelog.d",
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
];

export async function copyProject(t: TestContext): Promise<string> {
  const copy = temporaryFolder(t);
  for (const path of COPIED) {
    await cp(join(ROOT, path), join(copy, path), {
      recursive: true,
      filter: (from) => !from.endsWith("/node_modules"),
    });
  }
  for (const path of ["node_modules", "sdk/node_modules"]) {
    await symlink(join(ROOT, path), join(copy, path));
  }
  return copy;
}

/** Runs a command in the copy; fails with its output. */
export function run(copy: string, command: string, ...args: readonly string[]): Promise<string> {
  const PATH = `${join(copy, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  // Unset NODE_TEST_CONTEXT, so that a test run started here does not report its results as part of this test.
  const env = { ...process.env, PATH, NODE_TEST_CONTEXT: undefined };
  const options = { cwd: copy, env, maxBuffer: 1e8 };
  return new Promise((resolve, reject) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
      error === null
        ? resolve(stdout)
        : reject(new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`));
    execFile(command, args, options, ended);
  });
}

const TESTS = [
  "node",
  "--test",
  "--test-global-setup=test/kit/browser-setup.ts",
  `--test-concurrency=${availableParallelism()}`,
  "--test-reporter=tap",
  // Loading the service takes longer than most of these files.
  "--test-isolation=none",
] as const;

/** Runs tests in the copy; fails with their output. Returns how many have passed. */
export async function runTests(copy: string, ...args: readonly string[]): Promise<number> {
  const printed = await run(copy, ...TESTS, ...args);
  const [, passed = "0"] = /^# pass (\d+)$/m.exec(printed) ?? [];
  return Number(passed);
}
