/** The settings of backups: a part of the table in settings/config.ts. */

import { emailAddress, integer, isOn, path, timeOfDay } from "./setting-texts.ts";

export const BACKUP_SETTINGS = {
  backupDir: {
    env: "BACKUP_DIR",
    doc:
      "The folder of automatic backups, outside of `DATA_DIR`, best on another disk. With it, the service backs up its " +
      "own PostgreSQL once a day, and archives its log so that any moment can be restored. See backup.md.",
    parse: path,
  },
  backupTime_min: {
    env: "BACKUP_TIME",
    doc: "When the daily backup is taken, in UTC.",
    parse: timeOfDay,
    fallback: "02:30",
  },
  backupKeep: {
    env: "BACKUP_KEEP",
    doc: "How many backups are retained; older ones are removed with the log that only they need.",
    parse: integer(1, 1000),
    fallback: "7",
  },
  backupVerify: {
    env: "BACKUP_VERIFY",
    doc:
      "`on` verifies each automatic backup by starting a copy of it in the system's folder for temporary files, which " +
      "needs as much space there as the database has. `off` leaves that to `leadport backup verify`.",
    parse: isOn,
    fallback: "on",
  },
  operatorEmail: {
    env: "OPERATOR_EMAIL",
    doc: "Who is notified when a backup fails. Needs `SMTP_URL`.",
    parse: emailAddress,
  },
} as const;
