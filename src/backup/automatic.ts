/**
 * Automatic backups of the embedded database: a full backup once a day, and continuous archiving of
 * the write-ahead log. Any point in time since the oldest backup can therefore be restored. A
 * failed backup is retried after an hour.
 */

import { existsSync, mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import type { Clock } from "../platform/clock/index.ts";
import type { Mailer } from "../platform/outgoing/index.ts";
import type { MasterKey } from "../platform/secrets/index.ts";
import { listArchive, packLog, packTimelines, pruneLog } from "./archive.ts";
import { ARCHIVE, listBackups, type StoredBackup } from "./find-backup.ts";
import {
  gapAfter,
  physicalManifestIn,
  type PhysicalManifest,
  readManifest,
} from "./contents/index.ts";
import { createFolderUse, type FolderUse } from "./folder-use.ts";
import { sizeOf } from "./materialize.ts";
import { type PhysicalSource, readHistory, takePhysicalBackup } from "./physical.ts";
import { createSeries, type Series } from "./report-failure.ts";
import { type BackupStatus, readStatus, updateStatus } from "./status.ts";
import { verifyBackup } from "./verify.ts";
import { messageOf } from "../platform/errors/index.ts";

/** How often to look for log files to archive, and whether the next check of the backups is due. */
const TICK_ms = 1_000;
const CHECK_EVERY_ms = 60_000;
const RETRY_ms = 3_600_000;
const DAY_ms = 86_400_000;
/** The draft of an automatic backup. Other drafts in the folder belong to `leadport backup`, which may be running. */
const PARTIAL = /^\d{8}T\d{6}Z\.partial$/;

export interface AutomaticOptions {
  readonly source: PhysicalSource;
  /** The folder where PostgreSQL puts finished log files. */
  readonly spool: string;
  readonly settings: {
    readonly backupDir: string;
    /** The time of the daily backup, in minutes after midnight UTC. */
    readonly backupTime_min: number;
    readonly backupKeep: number;
    readonly backupMaxRate_bytes: number;
    readonly backupVerify: boolean;
    readonly operatorEmail: string | undefined;
  };
  readonly keys: MasterKey;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  readonly mailer: Mailer;
  readonly register?: Registry | undefined;
}

/**
 * Starts automatic backups. The log is archived while a backup is taken and verified, too. `stop` aborts a running
 * backup, which then leaves nothing behind.
 */
export function startAutomaticBackups(options: AutomaticOptions): { stop(): Promise<void> } {
  const { settings, source, clock, register } = options;
  const { backupDir } = settings;
  const stopping = new AbortController();
  const { signal } = stopping;
  const use = createFolderUse({ backupDir, dataDir: source.dataDir }, clock);
  if (register !== undefined) addMetrics(register, { backupDir, use, clock });
  const tick = () => sleep(TICK_ms, undefined, { signal, ref: false }).catch(() => {});
  const run = { ...options, use, tick, signal };
  // Archiving comes first, because it creates and claims the folder.
  const done = Promise.all([keepArchiving(run), keepBackingUp(run)]);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

interface Run extends AutomaticOptions {
  readonly use: FolderUse;
  /** Waits until the next round. */
  readonly tick: () => Promise<void>;
  readonly signal: AbortSignal;
}

async function keepArchiving(run: Run): Promise<void> {
  const { settings, log, source, spool, use, tick, signal } = run;
  const folder = join(settings.backupDir, ARCHIVE);
  const series = createSeries(run);
  // A new timeline appears only after a restore, and therefore only before the start.
  let hasTimelines = false;
  const archive = async (): Promise<void> => {
    try {
      mkdirSync(settings.backupDir, { recursive: true, mode: 0o700 });
      const state = use.claim();
      if (state === "waiting") return;
      if (state !== "used") {
        // The status file belongs to the service that uses the folder.
        const reason = `${state.what} ${state.remedy}`;
        return await series.report("taking backups", reason, { inStatus: false });
      }
      if (!hasTimelines) await packTimelines(source.data, folder);
      hasTimelines = true;
      await packLog(spool, folder);
      if (series.end()) log.info("The write-ahead log is being archived again");
    } catch (error) {
      await series.report("archiving the write-ahead log", messageOf(error));
    }
  };
  for (; !signal.aborted; await tick()) await archive();
  await archive();
}

async function keepBackingUp(run: Run): Promise<void> {
  const { use, clock, tick, signal } = run;
  const series = createSeries(run);
  for (let nextCheck_ms = 0; !signal.aborted; await tick()) {
    if (clock.now_ms() < nextCheck_ms || use.state() !== "used") continue;
    nextCheck_ms = await check(run, series, signal);
  }
}

/** Takes a backup if one is due. Returns when to check again. */
async function check(
  options: AutomaticOptions,
  series: Series,
  signal: AbortSignal,
): Promise<number> {
  const { clock } = options;
  let succeeded = true;
  try {
    if (await isDue(options, clock.now_ms())) succeeded = await backUp(options, series, signal);
    if (succeeded) series.end();
  } catch (error) {
    await series.report("checking the backups", messageOf(error));
    succeeded = false;
  }
  return clock.now_ms() + (succeeded ? CHECK_EVERY_ms : RETRY_ms);
}

/**
 * Whether a backup is due. A backup is also due if the database has been restored since the newest backup, or if the
 * archived log does not continue from the newest backup to the present.
 */
async function isDue({ settings, source }: AutomaticOptions, now_ms: number): Promise<boolean> {
  const { backupDir, backupTime_min } = settings;
  if (!existsSync(backupDir)) return false;
  const newest = listBackups(backupDir).at(-1);
  if (newest === undefined) return true;
  const manifest = readManifest(newest.folder) as PhysicalManifest;
  const midnight_ms = Math.floor(now_ms / DAY_ms) * DAY_ms;
  const today_ms = midnight_ms + backupTime_min * 60_000;
  const last_ms = today_ms <= now_ms ? today_ms : today_ms - DAY_ms;
  if (Date.parse(manifest.started_at) < last_ms) return true;
  const { timeline, restored_at } = await readHistory(source);
  if (manifest.timeline !== timeline) return true;
  if (restored_at !== null && restored_at > new Date(manifest.started_at)) return true;
  return logGap(backupDir);
}

/** Whether a log file after the newest backup is missing from the archive. */
export async function logGap(backupDir: string): Promise<boolean> {
  const newest = listBackups(backupDir).at(-1);
  const manifest = newest && readManifest(newest.folder);
  if (manifest?.kind !== "physical") return false;
  return gapAfter(manifest.first_wal, await listArchive(join(backupDir, ARCHIVE))) !== undefined;
}

async function backUp(
  options: AutomaticOptions,
  series: Series,
  signal: AbortSignal,
): Promise<boolean> {
  const { settings, clock, log, source, keys } = options;
  const { backupDir, backupMaxRate_bytes: maxRate_bytes } = settings;
  const started_ms = clock.now_ms();
  const name = new Date(started_ms).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const folder = join(backupDir, name);
  try {
    for (const left of (await readdir(backupDir)).filter((one) => PARTIAL.test(one))) {
      await rm(join(backupDir, left), { recursive: true, force: true });
    }
    const manifest = await takePhysicalBackup(source, folder, { signal, maxRate_bytes });
    const bytes = sizeOf(manifest);
    const seconds = Math.round((clock.now_ms() - started_ms) / 1000);
    const { finished_at: succeeded_at } = manifest;
    updateStatus(backupDir, { backup: name, succeeded_at, bytes, seconds });
    if (settings.backupVerify) {
      const notify = (message: string) => log.info(message);
      await verifyBackup(folder, manifest, { scratch: undefined, keys, notify, maxRate_bytes });
      updateStatus(backupDir, { verified_at: new Date(clock.now_ms()).toISOString() });
    }
    await prune(backupDir, settings.backupKeep);
    log.info({ folder, bytes, seconds }, "A backup was taken");
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    await series.report(`the backup ${name}`, messageOf(error));
    return false;
  }
}

/**
 * Removes the oldest backups so that `keep` backups remain, and the log files that no remaining
 * backup needs. The newest backup is always kept, even if it has not been verified.
 */
export async function prune(backupDir: string, keep: number): Promise<readonly StoredBackup[]> {
  const backups = listBackups(backupDir);
  const removed = backups.slice(0, Math.max(0, backups.length - keep));
  for (const { folder } of removed) await rm(folder, { recursive: true, force: true });
  const left = listBackups(backupDir).map(({ folder }) => physicalManifestIn(folder));
  // Which log files a backup with a damaged manifest needs is unknown, so all files are kept.
  if (left.includes(undefined)) return removed;
  // After a restore, a newer backup can need earlier log files than an older one.
  const [first] = left.flatMap((manifest) => manifest?.first_wal.slice(8) ?? []).toSorted();
  if (first !== undefined) await pruneLog(join(backupDir, ARCHIVE), first);
  return removed;
}

/** Converts a time to epoch seconds; returns 0 for undefined. */
const secondsOf = (time: string | undefined): number =>
  time === undefined ? 0 : Date.parse(time) / 1000;

function addMetrics(
  register: Registry,
  { backupDir, use, clock }: Pick<Run, "use" | "clock"> & { readonly backupDir: string },
): void {
  const gauge = (name: string, help: string, read: (status: BackupStatus) => number): void => {
    const one: Gauge = new Gauge({
      name,
      help,
      registers: [register],
      collect: () => one.set(read(readStatus(backupDir))),
    });
  };
  gauge(
    "leadport_backup_last_success_timestamp_seconds",
    "Unix time when the newest automatic backup succeeded. 0 if none has succeeded.",
    ({ succeeded_at }) => secondsOf(succeeded_at),
  );
  gauge(
    "leadport_backup_last_verified_timestamp_seconds",
    "Unix time when an automatic backup was last verified. 0 if none has been verified.",
    ({ verified_at }) => secondsOf(verified_at),
  );
  gauge(
    "leadport_backup_last_failure_timestamp_seconds",
    "Unix time when an automatic backup or log archiving last failed. 0 if neither has failed.",
    // While another service uses the folder, the status shows that service's backups.
    ({ failed_at }) =>
      typeof use.state() === "object" ? clock.now_ms() / 1000 : secondsOf(failed_at),
  );
  gauge(
    "leadport_backup_size_bytes",
    "Size of the newest automatic backup.",
    ({ bytes = 0 }) => bytes,
  );
  gauge(
    "leadport_backup_duration_seconds",
    "Duration of the newest automatic backup.",
    ({ seconds: taken = 0 }) => taken,
  );
}
