/**
 * The user that PostgreSQL runs as, and what that user can access. PostgreSQL refuses to run as root. When root starts
 * the service, PostgreSQL therefore runs as an ordinary user. This user may lack access to some paths, such as a home
 * folder with mode 0700 or files that root has copied.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord } from "../storage/index.ts";
import { codeOf, StartError } from "../errors/index.ts";

export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  /** The user name, or the user id if there is no name. */
  readonly name: string;
}

/** Used when Leadport runs as root: the folder for files that PostgreSQL's unprivileged user must be able to access. */
export const STATE_FOLDER = "/var/lib/leadport";

/** The users that PostgreSQL can run as if Leadport runs as root, in order of preference. */
const CANDIDATES = ["leadport", "postgres", "_postgres", "nobody"];

/**
 * Returns the user to run PostgreSQL as: the cluster's owner or a candidate. Returns undefined if this process does not
 * run as root.
 */
export function runAsFor(cluster: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, name: nameOf(owner.uid) };
  }
  const users = knownUsers();
  for (const name of CANDIDATES) {
    const found = users.find((user) => user.name === name && user.uid > 0);
    if (found !== undefined) return found;
  }
  throw new StartError(
    "PostgreSQL refuses to run as root, and this machine has none of the users " +
      `${CANDIDATES.join(", ")}. Start Leadport as an ordinary user, or set DATABASE_URL.`,
  );
}

/** Returns the user of this process. Undefined on Windows. */
export function currentUser(): RunAs | undefined {
  const uid = process.geteuid?.();
  const gid = process.getegid?.();
  if (uid === undefined || gid === undefined) return undefined;
  return { uid, gid, name: nameOf(uid) };
}

function knownUsers(): readonly RunAs[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .filter(([, , uid = ""]) => uid !== "")
    .map(([name = "", , uid, gid]) => ({ uid: Number(uid), gid: Number(gid), name }));
}

function nameOf(uid: number): string {
  try {
    return knownUsers().find((user) => user.uid === uid)?.name ?? String(uid);
  } catch {
    return String(uid);
  }
}

/** Whether a user may enter every parent folder of a program and run it. */
export const canRun = (user: RunAs, program: string): boolean =>
  (closedAbove(user, program).length === 0 && mayOpen(user, program, 0o5)) ||
  succeeds(user, program, 'test -r "$1" && test -x "$1"');

export const canEnter = (user: RunAs, folder: string): boolean =>
  closedAbove(user, join(folder, "entry")).length === 0 || succeeds(user, folder, 'test -x "$1"');

/** Returns the parent folders of a path that a user may not enter. The topmost folder comes first. */
function closedAbove(user: RunAs, path: string): readonly string[] {
  const above = dirname(path);
  if (above === path) return [];
  return [...closedAbove(user, above), ...(mayOpen(user, above, 0o1) ? [] : [above])];
}

function mayOpen({ uid, gid }: RunAs, path: string, need: number): boolean {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return true;
  const shift = entry.uid === uid ? 6 : entry.gid === gid ? 3 : 0;
  return ((entry.mode >> shift) & need) === need;
}

/**
 * Tests a path with a shell command that runs as the user, because groups and access control lists may grant more
 * access than the file mode shows.
 */
function succeeds({ uid, gid }: RunAs, path: string, test: string): boolean {
  const as = process.getuid?.() === 0 ? { uid, gid } : {};
  return spawnSync("/bin/sh", ["-c", test, "sh", path], { ...as, cwd: "/" }).status === 0;
}

/**
 * Returns the reason why a user cannot run the cluster, with a command that fixes it. Returns undefined if the user can
 * run it.
 */
export function obstacleTo(user: RunAs, folder: string) {
  if (!canEnter(user, dirname(folder))) {
    const closed = closedAbove(user, folder).map(shellWord).join(" ");
    return { what: `it has no access to ${closed}`, command: `chmod o+x ${closed}` };
  }
  const data = join(folder, "data");
  const foreign = foreignIn(user, folder, data);
  if (foreign !== undefined) {
    const owner = user.name === String(user.uid) ? `${user.uid}:${user.gid}` : `${user.name}:`;
    const what = `${foreign} belongs to the user ${ownerOf(foreign)}`;
    return { what, command: `chown -R ${owner} ${shellWord(folder)}` };
  }
  // PostgreSQL rejects a data directory that its group can write to or that other users can access.
  return (statSync(data).mode & 0o027) === 0
    ? undefined
    : { what: `other users can access ${data}`, command: `chmod 700 ${shellWord(data)}` };
}

/**
 * Returns the first file or folder of a cluster that belongs to another user. Checks only the top level, because all
 * files in a copied folder have the same owner.
 */
function foreignIn({ uid }: RunAs, folder: string, data: string): string | undefined {
  try {
    // The lock file is checked separately at startup, and removed if it is stale.
    const names = readdirSync(data).filter((name) => name !== "postmaster.pid");
    const entries = names.map((name) => join(data, name));
    return [folder, data, join(data, "global/pg_control"), ...entries].find((path) => {
      const entry = lstatSync(path, { throwIfNoEntry: false });
      return entry !== undefined && !entry.isSymbolicLink() && entry.uid !== uid;
    });
  } catch (error) {
    if (codeOf(error) === "EACCES") return folder;
    throw error;
  }
}

function ownerOf(path: string): string {
  try {
    return nameOf(lstatSync(path).uid);
  } catch {
    return "that started it before";
  }
}

/** Creates a folder that every user may enter, regardless of the umask. Does not change an existing folder. */
export function makePublicFolder(path: string): void {
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, 0o755);
}
