/** `leadport restore`: restores an installation from a backup. */

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  type Backup,
  checkTree,
  findBackup,
  releaseDeliveries,
  restoreLogical,
  type RestoreOptions,
  restorePhysical,
  secureRestored,
} from "../../backup/index.ts";
import type { Manifest } from "../../backup/contents/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { idSource } from "../../platform/ids/index.ts";
import type { Db } from "../../platform/database/index.ts";
import {
  clearInterrupted,
  type Embedded,
  isInterrupted,
  withNewCluster,
} from "../../platform/embedded/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import { PARTICIPANTS } from "../../service/index.ts";
import { applyErasureLog, readErasureLog } from "../../privacy/index.ts";
import {
  createSealer,
  type MasterKey,
  readMasterKey,
  unknownOf,
} from "../../platform/secrets/index.ts";
import { momentOf } from "../../platform/validation/index.ts";
import { openDataFolder, lockFolder } from "../../platform/storage/index.ts";
import { type Config, ERASURE_LOG, erasureLogPath, loadConfig } from "../../settings/index.ts";
import { type Command, optional, type Output, UsageError } from "../command.ts";
import { type Installation, withInstallation } from "../installation.ts";
import { copyProgress } from "../progress.ts";

export const command: Command = {
  positionals: ["[folder]"],
  options: {
    at: {
      type: "string",
      value: "<time>",
      doc: "The time to restore to, such as 2026-12-24T10:30:00Z. Requires the archive in BACKUP_DIR. Default: the latest.",
    },
    "release-deliveries": {
      type: "boolean",
      doc: "Resume sending webhook requests, which are held back after a restore. Takes no folder.",
    },
  },
  notes: [
    "Restores a backup, or the newest one in a folder of backups, into DATA_DIR, which must be empty. First, put the",
    "master key in DATA_DIR/master-key, or set MASTER_KEY. After a restore, users must sign in again and partners must",
    "get new tokens. Webhook requests are held back until you run leadport restore --release-deliveries.",
  ].join("\n"),
  examples: [
    "DATA_DIR=/srv/leadport leadport restore /mnt/backups",
    "DATA_DIR=/srv/leadport leadport restore /mnt/backups --at 2026-12-24T10:30:00Z",
    "leadport restore --release-deliveries",
  ],
  run: async (given) => {
    const { positionals, values, env, output } = given;
    const [folder] = positionals;
    if (values["release-deliveries"] === true) {
      if (folder !== undefined) throw new UsageError("--release-deliveries takes no folder");
      await withInstallation(env, (installation) => release(installation, output));
      return;
    }
    if (folder === undefined) throw new UsageError("`leadport restore`: <folder> is missing");
    await restore(loadConfig(env), folder, momentIn(optional(given, "at")), output);
  },
};

async function release({ db }: Installation, output: Output): Promise<void> {
  const isReleased = await releaseDeliveries(db.sql);
  output.log(
    isReleased ? "Webhook requests are being sent again." : "No webhook requests are held back.",
  );
}

function momentIn(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(text);
  // The constructor accepts June 31 as July 1.
  const isDay = momentOf(text.slice(0, 10)) !== undefined;
  if (isTime && isDay && !Number.isNaN(at.getTime())) return at;
  throw new UsageError(
    `--at must be a time with a zone, such as 2026-12-24T10:30:00Z, not ${JSON.stringify(text)}`,
  );
}

async function restore(
  config: Config,
  from: string,
  at: Date | undefined,
  output: Output,
): Promise<void> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined) mustBeEmpty(dataDir);
  const backup = findBackup(from, at);
  const { manifest, folder } = backup;
  mustKnowKeys(manifest, readMasterKey(config, dataDir), dataDir);
  const progress = copyProgress();
  let applied: readonly string[] = [];
  const options = {
    dataDir,
    at,
    backupDir: config.backupDir,
    notify: (message: string) => output.error(message),
    onProgress: progress.update,
    prepare: async (db: Db, replayedTo?: Date) => {
      const restoredTo = at ?? replayedTo ?? new Date(manifest.finished_at);
      await secureRestored(db, restoredTo);
      applied = await applyLogs(db, { config, from, folder }, restoredTo);
    },
  };
  try {
    const restored = await restoreInto(config, backup, options);
    progress.stop();
    output.log(
      [
        `${databaseUrl === undefined ? dataDir : "The database"} was restored from ${folder}. ` +
          `Its last transaction was at ${restored.toISOString()}.`,
        ...applied,
        "Users must sign in again, and partners must get new tokens. Webhook requests are held back until you run:",
        "  leadport restore --release-deliveries",
      ].join("\n"),
    );
  } finally {
    progress.stop();
  }
}

interface Source {
  readonly config: Config;
  /** The folder given on the command line, and the backup's folder, which may be inside it. */
  readonly from: string;
  readonly folder: string;
}

/**
 * Applies the erasures and revocations that were logged after the backup was taken. Reads the erasure log specified in
 * the settings, and any erasure logs next to the backups. Returns the lines to print.
 */
async function applyLogs(
  db: Db,
  { config, from, folder }: Source,
  restoredTo: Date,
): Promise<readonly string[]> {
  const keys = readMasterKey(config, config.dataDir);
  const named = erasureLogPath(config);
  const paths = [
    ...(named === undefined ? [] : [named]),
    join(resolve(from), ERASURE_LOG),
    join(dirname(resolve(folder)), ERASURE_LOG),
  ];
  const clock = systemClock();
  const lines: string[] = [];
  for (const path of new Set(paths)) {
    const entries = keys && (await readErasureLog(path, keys));
    if (keys === undefined || entries === undefined) continue;
    const deps = {
      clock,
      makeId: idSource(clock),
      sealer: createSealer(keys),
      participants: PARTICIPANTS,
    };
    const { persons, revocations } = await applyErasureLog(db, deps, entries, restoredTo);
    lines.push(
      `From ${path}: people erased again: ${persons}, credentials revoked again: ${revocations}.`,
    );
  }
  if (lines.length > 0) return lines;
  return [
    `There is no erasure log (${paths.join(", ")}).`,
    "If any people were erased or credentials revoked after the backup was taken, they have been restored with it.",
  ];
}

async function restoreInto(config: Config, backup: Backup, options: RestoreOptions): Promise<Date> {
  const { dataDir, databaseUrl } = config;
  const { manifest, folder } = backup;
  if (manifest.kind === "physical") {
    if (databaseUrl === undefined) {
      return alone(dataDir, async () => {
        await clearInterrupted(dataDir);
        return restorePhysical({ ...backup, manifest }, options);
      });
    }
    throw new StartError(
      "A physical backup is restored into DATA_DIR. Unset DATABASE_URL, or restore a logical backup.",
    );
  }
  if (options.at !== undefined) {
    throw new StartError(
      `A logical backup can be restored only to the time at which it was taken (${manifest.finished_at}). Leave out --at.`,
    );
  }
  await checkTree(folder, manifest);
  const copyInto = (url: string, address?: Embedded["address"]) =>
    restoreLogical(folder, manifest, { ...options, url, address });
  if (databaseUrl === undefined) {
    await alone(dataDir, () => clearInterrupted(dataDir));
    await withNewCluster(dataDir, ({ url, address }) => copyInto(url, address));
  } else await copyInto(databaseUrl);
  return new Date(manifest.finished_at);
}

/** Runs the work while holding the lock on the data folder, which must be empty. */
async function alone<T>(dataDir: string, work: () => T | Promise<T>): Promise<T> {
  openDataFolder(dataDir);
  const release = lockFolder(dataDir, "command");
  if (release === undefined)
    throw new StartError(`Another process is using ${dataDir}. Stop it first.`);
  try {
    mustBeEmpty(dataDir);
    return await work();
  } finally {
    release();
  }
}

/** Files that may be in DATA_DIR before a restore: the master key, the erasure log, and this command's own lock. */
const ALLOWED = new Set([
  "master-key",
  ERASURE_LOG,
  "lock",
  "lock-journal",
  "holder.json",
  "lost+found",
]);

const isEmpty = (path: string): boolean =>
  lstatSync(path).isDirectory() && readdirSync(path).length === 0;

function mustBeEmpty(dataDir: string): void {
  if (!existsSync(dataDir) || isInterrupted(dataDir)) return;
  // A restore that fails early leaves an empty folder for the database.
  const other = readdirSync(dataDir).find(
    (name) => !ALLOWED.has(name) && !isEmpty(join(dataDir, name)),
  );
  if (other === undefined) return;
  throw new StartError(
    `${dataDir} is not empty: it contains ${other}. Set DATA_DIR to a new folder, or move the existing one away. ` +
      `The folder may contain only the files master-key and ${ERASURE_LOG}.`,
  );
}

function mustKnowKeys(
  { key_fingerprints }: Manifest,
  keys: MasterKey | undefined,
  dataDir: string,
): void {
  const missing = keys === undefined ? key_fingerprints : unknownOf(key_fingerprints, keys);
  if (missing.length === 0) return;
  throw new StartError(
    `This backup needs the master key with the fingerprint ${missing.join(", ")}. Put it in ${dataDir}/master-key, ` +
      "or set MASTER_KEY. If you also have earlier keys, set MASTER_KEY_PREVIOUS.",
  );
}
