/** The settings for backups, which are part of the table in settings/config.ts. */

import { join } from "node:path";
import { emailAddress, integer, isOn, path, size, timeOfDay } from "./setting-texts.ts";

export const BACKUP_SETTINGS = {
  backupDir: {
    env: "BACKUP_DIR",
    doc:
      "The folder for automatic backups, outside of `DATA_DIR` and preferably on another disk. If " +
      "it is set, the service backs up the embedded PostgreSQL once a day and archives the " +
      "write-ahead log, so that you can restore the database to any point in time. " +
      "See [backup.md](backup.md).",
    parse: path,
  },
  backupTime_min: {
    env: "BACKUP_TIME",
    doc: "The time of the daily backup, in UTC.",
    parse: timeOfDay,
    fallback: "02:30",
  },
  backupKeep: {
    env: "BACKUP_KEEP",
    doc:
      "The number of backups to retain. Older backups are removed together with the " +
      "write-ahead log files that only they need.",
    parse: integer(1, 1000),
    fallback: "7",
  },
  backupMaxRate_bytes: {
    env: "BACKUP_MAX_RATE",
    doc:
      "The maximum amount of data that a physical backup, or the verification of an automatic " +
      "backup, copies per second, such as `50MB`. At a lower rate, a backup takes longer but slows " +
      "down concurrent requests less. With `off`, there is no limit.",
    parse: size,
    fallback: "100MB",
  },
  backupVerify: {
    env: "BACKUP_VERIFY",
    doc:
      "With `on`, each automatic backup is verified by starting a copy of it in the system's " +
      "folder for temporary files. The copy needs as much space as the database. With `off`, " +
      "backups are verified only when you run `leadport backup verify`.",
    parse: isOn,
    fallback: "on",
  },
  erasureLog: {
    env: "ERASURE_LOG",
    doc:
      "The file that records erased people and revoked credentials, so that a restored backup " +
      "does not bring them back. Default: `erasures.ndjson` in `BACKUP_DIR`, or in `DATA_DIR` if " +
      "`BACKUP_DIR` is not set. With `DATABASE_URL`, there is no default, and people can be " +
      "erased only if you set `ERASURE_LOG`. See [privacy.md](privacy.md).",
    parse: path,
  },
  operatorEmail: {
    env: "OPERATOR_EMAIL",
    doc: "The email address to notify when a backup fails. Requires `SMTP_URL`.",
    parse: emailAddress,
  },
} as const;

/** The erasure log's file name. By default, the file is in BACKUP_DIR or DATA_DIR. */
export const ERASURE_LOG = "erasures.ndjson";

/** Returns the path of the erasure log, or undefined if the settings specify none. */
export const erasureLogPath = ({
  erasureLog,
  databaseUrl,
  backupDir,
  dataDir,
}: {
  readonly erasureLog?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly backupDir?: string | undefined;
  readonly dataDir?: string | undefined;
}): string | undefined => {
  const folder = databaseUrl === undefined ? (backupDir ?? dataDir) : undefined;
  return erasureLog ?? (folder && join(folder, ERASURE_LOG));
};
