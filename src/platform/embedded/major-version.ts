/** The major version of PostgreSQL that created a database. A server starts only with databases of the same version. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readOrNothing, shellWord } from "../storage/index.ts";
import { StartError } from "../errors/index.ts";
import { installedVersion } from "./binaries.ts";
import { dataOf } from "./postmaster.ts";

interface Versions {
  /** The major version that created the database. */
  readonly found: string;
  /** The major version in this release. */
  readonly ours: string;
}

/**
 * Throws a StartError if another major version of PostgreSQL created the cluster in `folder`. The message contains the
 * commands that move the data to this version. Changes nothing. Does nothing if there is no cluster yet.
 */
export function mustBeOurVersion(dataDir: string, folder: string): void {
  const found = readOrNothing(join(dataOf({ folder }), "PG_VERSION")).trim();
  if (found === "") return;
  const [ours = ""] = installedVersion().split(".");
  if (found === ours) return;
  const versions = { found, ours };
  const advice = Number(found) > Number(ours) ? LATER : moveAdvice(dataDir, versions);
  throw new StartError(
    `The database of ${dataDir} was created by PostgreSQL ${found}, but this release includes PostgreSQL ${ours}, ` +
      `which cannot open it. Nothing was changed. ${advice}`,
  );
}

const LATER =
  "Start the later release again, or restore a backup from before the upgrade into a new data folder " +
  "(docs/upgrading.md, Going back).";

/** Files that must be in a data folder before a restore. The master key may be in MASTER_KEY instead. */
const BEFORE_RESTORE = ["master-key", "erasures.ndjson"];

/**
 * Returns the commands for moving the data to a new data folder. Only the release that created the database can write
 * the backup, because it includes the version of PostgreSQL that can open the database. `npm run test:upgrade -- postgres` runs
 * the commands.
 */
function moveAdvice(dataDir: string, { found, ours }: Versions): string {
  const from = shellWord(dataDir);
  const backup = shellWord(`${dataDir}-backup-${found}`);
  const to = shellWord(`${dataDir}-${ours}`);
  const copy = (names: readonly string[]): readonly string[] => {
    const files = names.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
    return files.length === 0 ? [] : [`       cp -p ${files.map(shellWord).join(" ")} ${to}/`];
  };
  return [
    "Move the data to a new data folder:",
    `  1. Stop the service, and run this command with the earlier release, which includes PostgreSQL ${found}:`,
    `       DATA_DIR=${from} leadport backup --logical ${backup}`,
    "  2. Run these commands with this release:",
    `       mkdir -m 711 ${to}`,
    ...copy(BEFORE_RESTORE),
    `       DATA_DIR=${to} leadport restore ${backup}`,
    ...copy(["owner-token"]),
    `       DATA_DIR=${to} leadport restore --release-deliveries`,
    `  3. Set DATA_DIR to ${to}. If BACKUP_DIR is set, set it to a new folder, and copy erasures.ndjson from the old one.`,
    "     Then start this release.",
    `Keep ${from}: with it, the earlier release starts as before. Only the earlier release can use the backups and the`,
    "archive in the old BACKUP_DIR. See docs/upgrading.md, The next major PostgreSQL.",
  ].join("\n");
}
