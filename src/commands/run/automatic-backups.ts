/** Automatic backups in the process that runs the embedded database. */

import type { Registry } from "prom-client";
import { spoolOf, startAutomaticBackups } from "../../backup/index.ts";
import { clusterFolder } from "../../platform/embedded/index.ts";
import { clusterSource, type Installation } from "../installation.ts";

/** Returns undefined if BACKUP_DIR is not set or if another process runs the database. */
export function startBackups(installation: Installation, register: Registry) {
  const { config, embedded, keys, clock, log, mailer } = installation;
  const { backupDir } = config;
  if (backupDir === undefined || embedded === undefined || embedded.attached) return undefined;
  return startAutomaticBackups({
    source: clusterSource(embedded, config),
    spool: spoolOf(clusterFolder(config.dataDir)),
    settings: { ...config, backupDir },
    keys,
    clock,
    log,
    mailer,
    register,
  });
}
