/** Sets up a user's project: npm installs the client from a running service, without a registry. */

import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "../../tools/sources.ts";
import { temporaryFolder } from "../kit/started.ts";

export const run = promisify(execFile);
const fromRoot = createRequire(join(ROOT, "package.json"));

/** The project's own TypeScript compiler, and an older one that many users still have. */
export const COMPILERS = [
  join(dirname(fromRoot.resolve("typescript/package.json")), "bin/tsc"),
  createRequire(join(ROOT, "sdk/package.json")).resolve("typescript/bin/tsc"),
] as const;

/** Nothing listens at this address, so every npm request to a registry fails. */
const NO_REGISTRY = "http://127.0.0.1:1/";

export interface Project {
  readonly folder: string;
  /** The folder of the installed client package. */
  readonly client: string;
  /** Compiles a file in strict mode, checking declarations as well. Fails with the compiler's errors. */
  readonly compile: (compiler: string, file: string) => Promise<void>;
  /** Runs a file and returns its output. */
  readonly print: (file: string, env: Readonly<Record<string, string>>) => Promise<string>;
}

const STRICT = "--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022";

/** Creates a project with npm and runs the install commands from the documentation in it, one per line. */
export async function installed(t: TestContext, commands: string): Promise<Project> {
  const folder = temporaryFolder(t);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    npm_config_cache: join(folder, ".npm"),
    npm_config_registry: NO_REGISTRY,
    npm_config_fetch_retries: "0",
  };
  for (const command of ["npm init -y", ...commands.split("\n")]) {
    const [program = "", ...args] = command.split(" ");
    await run(program, args, { cwd: folder, env });
  }
  await run("npm", ["ls", "@leadport/client"], { cwd: folder, env });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  const types = dirname(fromRoot.resolve("@types/node/package.json"));
  symlinkSync(types, join(folder, "node_modules/@types/node"));
  return {
    folder,
    client: join(folder, "node_modules/@leadport/client"),
    compile: async (compiler, file) => {
      const options = [...STRICT.split(" "), "--types", "node", file];
      await run(process.execPath, [compiler, ...options], { cwd: folder }).catch(
        ({ stdout }: { stdout: string }) => {
          throw new Error(stdout);
        },
      );
    },
    print: async (file, variables) => {
      const options = { cwd: folder, env: { ...env, ...variables } };
      return (await run(process.execPath, [file], options)).stdout;
    },
  };
}

export const writeIn = ({ folder }: Project, file: string, text: string): void =>
  writeFileSync(join(folder, file), text);
