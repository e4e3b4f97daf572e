/**
 * Restores a physical backup into a data folder. The data directory is built and recovered next to
 * its final location and moved there at the end, so that an interrupted restore never leaves a
 * database that could be started.
 */

import { chownSync, existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { raw } from "sql-template-tag";
import {
  type Cluster,
  emptyCluster,
  type Notify,
  type OfflineServer,
  recordCluster,
  RESTORING,
  SUPERUSER,
  withOfflineServer,
} from "../platform/embedded/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { migrateDatabase } from "../platform/migrations/index.ts";
import { messageOf, StartError } from "../platform/errors/index.ts";
import { shellWord, writeSecret } from "../platform/storage/index.ts";
import { unpackLog } from "./archive.ts";
import {
  endOfTimeline,
  makeFolder,
  numberOf,
  type PhysicalManifest,
  syncFolder,
  timelineFile,
} from "./contents/index.ts";
import { ARCHIVE, type Backup } from "./find-backup.ts";
import { checkTree, materialize, sizeOf } from "./materialize.ts";
import { mustHaveSpace } from "./target.ts";

export interface RestoreOptions {
  readonly dataDir: string;
  /** The point in time to restore. Default: the end of the archive or, without an archive, the end of the backup. */
  readonly at: Date | undefined;
  /** BACKUP_DIR. The restored database does not use a timeline that is already in the archive of this folder. */
  readonly backupDir?: string | undefined;
  readonly notify: Notify;
  readonly onProgress?: ((done_bytes: number, total_bytes: number) => void) | undefined;
  /**
   * Called with the restored database, which has this release's schema, before it can be started, and the time of its
   * last transaction, if a log was replayed.
   */
  readonly prepare: (db: Db, replayedTo?: Date) => Promise<void>;
}

const DATABASE = "leadport";

export interface PhysicalBackup extends Backup {
  readonly manifest: PhysicalManifest;
}

/**
 * Restores a backup into a data folder, which must be empty except for a master key. Returns the point in time that was
 * restored.
 */
export async function restorePhysical(
  backup: PhysicalBackup,
  options: RestoreOptions,
): Promise<Date> {
  const { folder, manifest } = backup;
  const cluster = emptyCluster(options.dataDir);
  mustFit(manifest, cluster);
  await checkTree(folder, manifest);
  const scratch = { ...cluster, folder: join(cluster.folder, RESTORING) };
  await rm(scratch.folder, { recursive: true, force: true });
  await makeFolder(scratch.folder, "", cluster.runAs);
  const total_bytes = sizeOf(manifest);
  await mustHaveSpace(scratch.folder, total_bytes);
  let done_bytes = 0;
  const onBytes = (bytes: number): void => {
    done_bytes += bytes;
    options.onProgress?.(done_bytes, total_bytes);
  };
  const data = join(scratch.folder, "data");
  await materialize({ folder, manifest }, data, { owner: cluster.runAs, onBytes });
  const log = await prepareRecovery(backup, scratch, options);
  const password = randomBytes(24).toString("base64url");
  const restored = await recover(scratch, log, options, async (db, replayedTo) => {
    await migrateDatabase(db);
    await options.prepare(db, replayedTo);
    await setPassword(db, password);
  });
  await rename(data, join(cluster.folder, "data"));
  await syncFolder(cluster.folder);
  writeSecret(join(options.dataDir, "database-password"), password);
  recordCluster(options.dataDir, cluster, manifest.installation_id ?? undefined);
  await rm(scratch.folder, { recursive: true, force: true });
  return restored ?? new Date(manifest.finished_at);
}

/** Sets a new password for the superuser, because the previous one may be in a copy of the data folder. */
async function setPassword(db: Db, password: string): Promise<void> {
  const [row] = await run<{ text: string }[]>(db)`
    select format('alter role %I password %L', ${SUPERUSER}::text, ${password}::text) as text`;
  await run(db)`${raw(row?.text ?? "")}`;
}

function mustFit({ platform, postgres_major, release }: PhysicalManifest, { binaries }: Cluster) {
  const ours = `${process.platform}-${process.arch}`;
  const major = Number.parseInt(binaries.version, 10);
  const advice =
    "Use a logical backup (leadport backup --logical) to move to another machine or version.";
  if (platform !== ours) {
    throw new StartError(
      `This backup was taken on ${platform}, but this machine is ${ours}. ${advice}`,
    );
  }
  if (postgres_major === major) return;
  throw new StartError(
    `This backup was taken by Leadport ${release} with PostgreSQL ${postgres_major}, but this release ` +
      `includes PostgreSQL ${major}. Restore it with Leadport ${release}. ${advice}`,
  );
}

/** What PostgreSQL replays, and where it finds it. */
interface Recovery {
  readonly folder: string;
  /** The timeline to follow. The restored database then starts a new one. */
  readonly timeline: number;
}

/**
 * Unpacks the archived log, and requests a recovery even if there is none: only at the end of a recovery does PostgreSQL
 * start a new timeline. Without a new timeline, the log that the restored database writes would have the file names of
 * the log that was archived after the backup.
 */
async function prepareRecovery(
  { archive, manifest }: PhysicalBackup,
  scratch: Cluster,
  { at, backupDir }: RestoreOptions,
): Promise<Recovery> {
  if (archive === undefined && at !== undefined) {
    throw new StartError(
      `There is no archive next to this backup, so it can be restored only to the time at which it finished ` +
        `(${manifest.finished_at}). Leave out --at.`,
    );
  }
  const { runAs: owner } = scratch;
  const folder = join(scratch.folder, "wal");
  await makeFolder(folder, "", owner);
  if (archive !== undefined) await unpackLog(archive, folder, { first: manifest.first_wal, owner });
  // A later timeline may begin before the point in time to restore.
  const followed = at === undefined ? await newestIn(folder, manifest) : manifest.timeline;
  const used = backupDir && join(backupDir, ARCHIVE);
  if (used && existsSync(used)) await unpackLog(used, folder, { first: undefined, owner });
  const signal = join(scratch.folder, "data/recovery.signal");
  await writeFile(signal, "", { mode: 0o600 });
  if (owner !== undefined) chownSync(signal, owner.uid, owner.gid);
  return { folder, timeline: followed };
}

/**
 * Returns the newest timeline in a folder. Like PostgreSQL, assumes that timelines have no gaps. Throws a StartError if
 * the backup is not part of its history.
 */
async function newestIn(folder: string, { timeline, last_wal }: PhysicalManifest): Promise<number> {
  let newest = timeline;
  while (existsSync(join(folder, timelineFile(newest + 1)))) newest += 1;
  if (newest === timeline) return timeline;
  const history = await readFile(join(folder, timelineFile(newest)), "utf8");
  const end = endOfTimeline(timeline, history);
  // PostgreSQL starts a new log file at the end of a backup.
  if (end !== undefined && end > numberOf(last_wal)) return newest;
  throw new StartError(
    "This backup contains changes that were undone when an older backup was restored, and no backup has been taken " +
      "since. To restore the current state, specify the older backup. To restore the undone changes instead, specify a " +
      "time before that restore with --at.",
  );
}

/** Lets PostgreSQL replay the log, then runs `work` on the result. Returns the time of the last transaction. */
async function recover(
  scratch: Cluster,
  recovery: Recovery,
  { at, notify }: RestoreOptions,
  work: (db: Db, replayedTo: Date | undefined) => Promise<void>,
): Promise<Date | undefined> {
  const settings = recoverySettings(recovery, at);
  try {
    return await withOfflineServer(scratch, { notify, settings }, async (server) => {
      await mustBePlain(server);
      const db = server.connect(DATABASE);
      const [row] = await run<{ at: Date | null }[]>(
        db,
      )`select pg_last_xact_replay_timestamp() as at`;
      const replayedTo = row?.at ?? undefined;
      await work(db, replayedTo);
      return replayedTo;
    });
  } catch (error) {
    if (!/before configured recovery target was reached/.test(messageOf(error))) throw error;
    throw new StartError(
      `The archive ends before ${at?.toISOString()}, so the database cannot be restored to that time. ` +
        "Choose an earlier time, or leave out --at to restore everything that was archived.",
      { cause: error },
    );
  }
}

function recoverySettings({ folder, timeline }: Recovery, at: Date | undefined) {
  // PostgreSQL replaces %f and %p in the restore command. A shell interprets the rest.
  const path = shellWord(folder).replaceAll("%", "%%");
  return {
    restore_command: `cp ${path}/%f "%p"`,
    recovery_target_timeline: String(timeline),
    recovery_target_action: "promote",
    ...(at !== undefined && {
      recovery_target_time: at.toISOString().replace("T", " ").replace("Z", "+00"),
    }),
  };
}

/** Throws a StartError if the cluster has roles or settings that Leadport does not create. */
async function mustBePlain(server: OfflineServer): Promise<void> {
  const db = server.connect("template1");
  const [found] = await run<{ roles: string | null; settings: string | null }[]>(db)`
    select (select string_agg(rolname, ', ') from pg_roles
             where rolname <> ${SUPERUSER} and rolname not like 'pg\\_%') as roles,
           (select string_agg(array_to_string(setconfig, ', '), ', ') from pg_db_role_setting) as settings`;
  const { roles = null, settings = null } = found ?? {};
  if (roles !== null) throw foreign(`the roles ${roles}`);
  if (settings !== null) throw foreign(`the settings ${settings} of a role or a database`);
  const [database] = await run(db)`select from pg_database where datname = ${DATABASE}`;
  if (database === undefined) {
    throw new StartError(`The backup contains no database "${DATABASE}". Use another backup.`);
  }
}

const foreign = (what: string): StartError =>
  new StartError(
    `The backup contains ${what}, which Leadport does not create. It may have been modified, so it was not ` +
      "restored. Use another backup, or remove these objects from the installation and take a new backup.",
  );
