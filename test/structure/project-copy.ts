/** Copies the project, so that tests can add something to the copy and run its tools and tests. */

import { execFile, type ExecFileException } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { temporaryFolder } from "../kit/started.ts";
import { ROOT } from "../../tools/sources.ts";

/** The parts of the project that the copy needs. The packages are the project's own. */
const COPIED = [
  ".gitignore",
  ".oxfmtrc.json",
  "LICENSE",
  "package.json",
  "package-lock.json",
  "releases.json",
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

/** Additions to a copy: new files, and texts to replace in existing files. */
export interface Additions {
  readonly files: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;
}

/** Copies the project with additions, and returns the path of the copy. */
export async function copyProject(t: TestContext, { files, changes }: Additions): Promise<string> {
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
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), text);
  }
  for (const [path, replacements] of Object.entries(changes)) {
    let text = await readFile(join(copy, path), "utf8");
    for (const [from, to] of replacements) {
      if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
      text = text.replace(from, to);
    }
    await writeFile(join(copy, path), text);
  }
  return copy;
}

/** Runs a command in the copy; fails with its output. */
export function runIn(copy: string, command: string, ...args: readonly string[]): Promise<string> {
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
  const printed = await runIn(copy, ...TESTS, ...args);
  const [, passed = "0"] = /^# pass (\d+)$/m.exec(printed) ?? [];
  return Number(passed);
}
