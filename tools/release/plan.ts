/** Checks whether a version can be released, and computes what the release changes. */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../sources.ts";
import { sectionOf, withSection } from "./changelog.ts";

export const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trimEnd();

/** A reason why a version cannot be released. */
export class CannotRelease extends Error {}

export interface Plan {
  readonly version: string;
  readonly tag: string;
  /** The date of the release in UTC, YYYY-MM-DD. */
  readonly date: string;
  /** The commit from which the release is made. */
  readonly from: string;
  /** The new section of CHANGELOG.md. */
  readonly section: string;
  /** The new contents of files, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** The paths of the files in changelog.d/, which are removed. */
  readonly removed: readonly string[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const VERSION = /^\d+\.\d+\.\d+$/;

/** Compares the numbers in two versions. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** The packages whose version is the version of the release. The client has its own version. */
const MANIFESTS: readonly string[] = ["package.json", "console/package.json"];

/** Replaces the version in a package.json without changing its format. */
const withVersion = (text: string, version: string): string =>
  text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`);

function lockWith(version: string): string {
  const lock = JSON.parse(read("package-lock.json")) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  lock.version = version;
  for (const path of ["", "console"]) {
    const entry = lock.packages[path];
    if (entry !== undefined) entry.version = version;
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

/** Throws CannotRelease if the version or the checkout does not allow a release. */
function mustBeReleasable(version: string, tag: string, fragments: readonly string[]): void {
  const { version: current } = JSON.parse(read("package.json")) as { version: string };
  if (!VERSION.test(version)) {
    throw new CannotRelease(`${version} is not a version such as 1.2.3.`);
  }
  if (compare(version, current) <= 0) {
    throw new CannotRelease(`${version} is not greater than the current version ${current}.`);
  }
  if (git("tag", "--list", tag) !== "") throw new CannotRelease(`The tag ${tag} already exists.`);
  const changes = git("status", "--porcelain");
  if (changes !== "") {
    throw new CannotRelease(`The checkout has changes that are not committed:\n${changes}`);
  }
  if (fragments.length === 0) {
    throw new CannotRelease("changelog.d contains no change to release.");
  }
}

/** Returns what the release of a version changes. Throws CannotRelease if it cannot be released. */
export function planRelease(version: string): Plan {
  const tag = `v${version}`;
  const removed = readdirSync(join(ROOT, "changelog.d"))
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => `changelog.d/${name}`);
  mustBeReleasable(version, tag, removed);
  const date = new Date().toISOString().slice(0, 10);
  const section = sectionOf(`${version} (${date})`, removed.map(read));
  const manifests = MANIFESTS.map((path) => [path, withVersion(read(path), version)] as const);
  const written = {
    ...Object.fromEntries(manifests),
    "package-lock.json": lockWith(version),
    "CHANGELOG.md": withSection(read("CHANGELOG.md"), section),
  };
  return { version, tag, date, from: git("rev-parse", "HEAD"), section, written, removed };
}
