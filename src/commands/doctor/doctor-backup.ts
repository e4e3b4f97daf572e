/** The part of `leadport doctor` that checks backups, and whether steps remain to be done after a restore. */

import { heldSince, listBackups, logGap, obstacleIn, readStatus } from "../../backup/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { type Config, erasureLogPath } from "../../settings/index.ts";
import { fault, ok, skipped, unless, warning, type Found } from "./doctor-check.ts";

/** The age at which the newest backup is considered late: one day plus the time that a backup may take. */
const LATE_ms = 26 * 3_600_000;

export async function checkBackups(config: Config, clock: Clock): Promise<readonly Found[]> {
  const { backupDir, databaseUrl, backupVerify, dataDir } = config;
  if (databaseUrl !== undefined) {
    return [
      skipped(
        "DATABASE_URL is set: back up the database with PostgreSQL's own tools, see docs/backup.md.",
      ),
    ];
  }
  if (backupDir === undefined) {
    return [skipped("There are no automatic backups. Set BACKUP_DIR to a folder on another disk.")];
  }
  const obstacle = obstacleIn({ backupDir, dataDir }, clock.now_ms());
  if (obstacle !== undefined) return [fault(obstacle.what, obstacle.remedy)];
  const { succeeded_at, verified_at, failed_at, failure } = readStatus(backupDir);
  const remedy = "Fix the cause. The service tries again within an hour.";
  if (succeeded_at === undefined || listBackups(backupDir).length === 0) {
    const reason = failure === undefined ? "" : ` The last attempt failed: ${failure}.`;
    return [
      fault(`There is no backup in ${backupDir}.${reason}`, "Run the service and check its log."),
    ];
  }
  const problems: Found[] = [];
  const age_ms = clock.now_ms() - Date.parse(succeeded_at);
  if (age_ms > LATE_ms) {
    const hours = Math.floor(age_ms / 3_600_000);
    problems.push(
      fault(`The newest backup in ${backupDir} is ${hours} hours old.`, "Run the service."),
    );
  }
  if (failed_at !== undefined && failed_at > succeeded_at) {
    problems.push(fault(`The newest failure was at ${failed_at}: ${failure}.`, remedy));
  }
  if (backupVerify && (verified_at === undefined || verified_at < succeeded_at)) {
    problems.push(
      warning(
        "The newest backup has not been verified.",
        `Run leadport backup verify ${backupDir}`,
      ),
    );
  }
  if (await logGap(backupDir)) {
    problems.push(
      fault(
        `A write-ahead log file is missing from the archive in ${backupDir}, so earlier backups can be restored only ` +
          "to times before the gap.",
        "The service takes a new backup immediately. Always set BACKUP_DIR when you start the database.",
      ),
    );
  }
  return unless(problems, `The newest backup was taken at ${succeeded_at}.`);
}

/** Checks the location of the erasure log. A restore needs the log to repeat erasures and revocations. */
export function checkErasureLog(config: Config): readonly Found[] {
  const path = erasureLogPath(config);
  if (path === undefined) {
    return [
      warning(
        "There is no erasure log, so people cannot be erased.",
        "Set ERASURE_LOG to a file outside of the database.",
      ),
    ];
  }
  const { erasureLog, backupDir } = config;
  if (erasureLog !== undefined || backupDir !== undefined) return ok(`The erasure log is ${path}.`);
  return [
    warning(
      `The erasure log is in the data folder (${path}). If that folder is lost, so is the log.`,
      "Set ERASURE_LOG to a file on another disk, or BACKUP_DIR.",
    ),
  ];
}

/** Warns if webhook requests have been held back since a restore. */
export async function checkHeldDeliveries(db: Db): Promise<readonly Found[]> {
  const since = await heldSince(db);
  if (since === undefined) return ok("Webhook requests are being sent.");
  return [
    warning(
      `No webhook requests have been sent since the restore to ${since.toISOString()}.`,
      "Check which of them were sent before the restore, then run leadport restore --release-deliveries.",
    ),
  ];
}
