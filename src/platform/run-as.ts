/**
 * Whose process PostgreSQL is. It refuses to run as root, so as root it runs as an ordinary user, who
 * may not reach what root reaches: a checkout or a data folder under a home of mode 0700.
 */

import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "./start-error.ts";

export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** Where root keeps what an ordinary user must reach. */
export const STATE_FOLDER = "/var/lib/leadport";

/** Users who have nothing else to do, best first. */
const CANDIDATES = ["leadport", "postgres", "_postgres", "nobody"];

/**
 * As whom to run PostgreSQL; undefined where this process is not root and runs it as itself. The
 * owner of an existing cluster is kept, because nobody else may open it.
 */
export function runAsFor(cluster: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, name: `with id ${owner.uid}` };
  }
  const users = ordinaryUsers();
  const found = CANDIDATES.map((name) => users.get(name)).find((user) => user !== undefined);
  if (found !== undefined) return found;
  throw new StartError(
    "PostgreSQL does not run as root, and this machine has none of the users " +
      `${CANDIDATES.join(", ")}. Start as an ordinary user, or set DATABASE_URL.`,
  );
}

function ordinaryUsers(): ReadonlyMap<string, RunAs> {
  const users = new Map<string, RunAs>();
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name = "", , uid, gid] = line.split(":");
    if (Number(uid) > 0) users.set(name, { uid: Number(uid), gid: Number(gid), name });
  }
  return users;
}

/**
 * Whether a user may pass through every folder above a path, and read and enter the path itself.
 */
export function reaches({ uid, gid }: RunAs, path: string): boolean {
  for (let at = path, need = 0o5; ; at = dirname(at), need = 0o1) {
    const entry = statSync(at, { throwIfNoEntry: false });
    if (entry !== undefined) {
      const shift = entry.uid === uid ? 6 : entry.gid === gid ? 3 : 0;
      if (((entry.mode >> shift) & need) !== need) return false;
    }
    if (dirname(at) === at) return true;
  }
}

/** Makes a folder that everybody may enter, whatever the umask; leaves one alone that is there. */
export function makePublicFolder(path: string): void {
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, 0o755);
}
