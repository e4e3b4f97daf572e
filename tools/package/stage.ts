/** Creates the folder from which npm packs Leadport: JavaScript, the built pages, migrations and docs. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../sources.ts";
import { bundle, NATIVE } from "./bundle.ts";
import { noticesOf } from "./notices.ts";

/** The oldest version of Node.js that an installed package supports. */
const ENGINES = { node: ">=24" };
/** What the package contains as it is in a checkout. */
const COPIED: readonly string[] = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "bin",
  "console/dist",
  "docs",
  "examples",
  "migrations",
  "monitoring",
  "sdk/README.md",
];
const PAGES = join(ROOT, "console/dist");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Returns the package.json of a package that was built from `commit`. */
function manifestFor(commit: string | undefined) {
  const text = readFileSync(join(ROOT, "package.json"), "utf8");
  const { name, version, description, license, type, ...own } = JSON.parse(text) as Manifest;
  const dependencies = Object.fromEntries(NATIVE.map((of) => [of, own.dependencies[of]]));
  const { bin, optionalDependencies } = own;
  const described = { name, version, description, license, type, bin, engines: ENGINES };
  return { ...described, dependencies, optionalDependencies, ...(commit && { gitHead: commit }) };
}

/** Whether the service reads a file in src/ at run time. */
const isRead = (path: string): boolean => !path.endsWith(".ts");

/** Replaces `folder` with the contents of a package that was built from `commit`. */
export async function stage(folder: string, commit: string | undefined): Promise<void> {
  execFileSync(process.execPath, ["console/build.mjs"], { cwd: ROOT, stdio: "inherit" });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  cpSync(join(ROOT, "src"), join(folder, "src"), { recursive: true, filter: isRead });
  const bundled = await bundle(join(folder, "src"));
  writeFileSync(join(folder, "THIRD-PARTY.md"), noticesOf(bundled, PAGES));
  const manifest = JSON.stringify(manifestFor(commit), undefined, 2);
  writeFileSync(join(folder, "package.json"), `${manifest}\n`);
}
