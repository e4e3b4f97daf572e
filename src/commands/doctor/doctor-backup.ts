/** `leadport doctor` checks for backups and for steps that remain after a restore. */

import { heldSince, listBackups, logGap, readStatus } from "../../backup/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { type Config, erasureLogPath } from "../../settings/index.ts";
import { fault, ok, skipped, unless, warning, type Found } from "./doctor-check.ts";

/** One day, plus the time that a backup may take. */
const LATE_ms = 26 * 3_600_000;

export async function checkBackups(config: Config, clock: Clock): Promise<readonly Found[]> {
  const { backupDir, databaseUrl, backupVerify } = config;
  if (databaseUrl !== undefined) {
    return [
      skipped(
        "DATABASE_URL names the database: back it up with its own tools, see docs/backup.md.",
      ),
    ];
  }
  if (backupDir === undefined) {
    return [skipped("There are no automatic backups. Set BACKUP_DIR to a folder on another disk.")];
  }
  const { succeeded_at, verified_at, failed_at, failure } = readStatus(backupDir);
  const remedy = "Fix the cause. The service tries again within an hour.";
  if (succeeded_at === undefined || listBackups(backupDir).length === 0) {
    const reason = failure === undefined ? "" : ` The last attempt failed: ${failure}.`;
    return [
      fault(`There is no backup in ${backupDir}.${reason}`, "Run the service, and read its log."),
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
    problems.push(fault(`On ${failed_at}, ${failure} (the newest failure).`, remedy));
  }
  if (backupVerify && (verified_at === undefined || verified_at < succeeded_at)) {
    problems.push(
      warning("The newest backup was not verified.", `Run leadport backup verify ${backupDir}`),
    );
  }
  if (await logGap(backupDir)) {
    problems.push(
      fault(
        `A log file is missing in the archive in ${backupDir}: moments after it cannot be restored from older backups.`,
        "The service takes a new backup at once. Never start the database without BACKUP_DIR.",
      ),
    );
  }
  return unless(problems, `The newest backup was taken at ${succeeded_at}.`);
}

/** Checks where the erasure log is. A restore needs it to repeat erasures and revocations. */
export function checkErasureLog(config: Config): readonly Found[] {
  const path = erasureLogPath(config);
  if (path === undefined) {
    return [
      warning(
        "There is no erasure log, so persons cannot be erased.",
        "Set ERASURE_LOG to a file outside of the database.",
      ),
    ];
  }
  const { erasureLog, backupDir } = config;
  if (erasureLog !== undefined || backupDir !== undefined) return ok(`The erasure log is ${path}.`);
  return [
    warning(
      `The erasure log is in the data folder (${path}), and is lost with it.`,
      "Set ERASURE_LOG to a file on another disk, or BACKUP_DIR.",
    ),
  ];
}

/** Warns if webhook requests have been held back since a restore. */
export async function checkHeldDeliveries(db: Db): Promise<readonly Found[]> {
  const since = await heldSince(db);
  if (since === undefined) return ok("Webhook requests are sent.");
  return [
    warning(
      `No webhook requests have been sent since the restore to ${since.toISOString()}.`,
      "Check which of them were sent before, then run leadport restore --release-deliveries.",
    ),
  ];
}
