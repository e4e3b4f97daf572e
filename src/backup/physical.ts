/**
 * A physical backup: a copy of the data directory taken while the database runs, with the part of the write-ahead log
 * that makes the copy consistent. A temporary replication slot retains that log. The slot and PostgreSQL's backup mode
 * end with the session, so an interrupted backup leaves nothing behind in the database.
 */

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import { type Db, openPool, type Reserved, run } from "../platform/database/index.ts";
import type { ServerAddress } from "../platform/pool/index.ts";
import { StartError } from "../platform/errors/index.ts";
import { VERSION } from "../platform/storage/index.ts";
import {
  CONTROL_FILE,
  listCluster,
  timelineOf,
  AT_ONCE,
  copyFile,
  createPace,
  digestOf,
  makeFolder,
  type BackupFile,
  type PhysicalManifest,
} from "./contents/index.ts";
import { describeDatabase } from "./describe-database.ts";
import { finishTarget, openTarget } from "./target.ts";

export interface PhysicalSource {
  /** The connection string of a superuser. */
  readonly url: string;
  readonly address: () => ServerAddress;
  /** The cluster's data directory. */
  readonly data: string;
  /** DATA_DIR. The backup must not be inside this folder. The cluster may be in another folder. */
  readonly dataDir: string;
  readonly installationId: string | undefined;
}

const openSession = ({ url, address }: PhysicalSource) =>
  openPool({ url, address, settings: { application_name: "leadport backup" } });

/** Returns the timeline of the running database, and when it was last restored. A restore starts a new timeline. */
export async function readHistory(source: PhysicalSource) {
  const db = openSession(source);
  try {
    const [row] = await run<{ wal: string; restored_at: Date | null }[]>(db)`
      select pg_walfile_name(pg_current_wal_insert_lsn()) as wal,
             (select max(restored_at) from restores) as restored_at`;
    return { timeline: timelineOf(row?.wal ?? ""), restored_at: row?.restored_at ?? null };
  } finally {
    await db.end({ timeout: 1 });
  }
}

export interface BackupOptions {
  readonly onProgress?: ((done_bytes: number, total_bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The maximum number of bytes to copy per second. Default: 0, no limit. */
  readonly maxRate_bytes?: number | undefined;
}

/**
 * Takes a backup. `target` must not exist, or must be empty. On failure, throws a StartError with advice and leaves
 * `target` unchanged.
 */
export async function takePhysicalBackup(
  source: PhysicalSource,
  target: string,
  options: BackupOptions = {},
): Promise<PhysicalManifest> {
  const { bytes } = await listCluster(source.data);
  const draft = await openTarget(target, {
    outside: [source.dataDir, source.data],
    needed_bytes: bytes,
  });
  const db = openSession(source);
  try {
    const manifest = await withReservedLog(db, (session) =>
      takeIn(session, { ...source, draft }, options),
    );
    await finishTarget(draft, target, manifest);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await db.end({ timeout: 5 });
  }
}

/** Runs the work on a connection with a replication slot. The slot retains the log from this point on. */
async function withReservedLog<T>(db: Db, work: (db: Reserved) => Promise<T>) {
  const session = await db.reserve();
  try {
    const slot = `leadport_backup_${process.pid}`;
    await run(session)`select pg_create_physical_replication_slot(${slot}, true, true)`;
    return await work(session);
  } finally {
    session.release();
  }
}

interface Copy extends PhysicalSource {
  readonly draft: string;
}

async function takeIn(
  db: Reserved,
  copy: Copy,
  { onProgress, signal, maxRate_bytes = 0 }: BackupOptions,
): Promise<PhysicalManifest> {
  const { data, draft } = copy;
  const described = await describeDatabase(db);
  const [begun] = await run<{ wal: string; started_at: Date; system_identifier: string }[]>(db)`
    select clock_timestamp() as started_at,
           pg_walfile_name(pg_backup_start('leadport', true)) as wal,
           (select system_identifier::text from pg_control_system()) as system_identifier`;
  if (begun === undefined) throw new Error("pg_backup_start returned nothing");
  // List the files only now: the log of the backup does not contain files that were created earlier.
  const { folders, files, bytes: total_bytes } = await listCluster(data);
  let done_bytes = 0;
  const onBytes = (bytes: number): void => {
    done_bytes += bytes;
    onProgress?.(Math.min(done_bytes, total_bytes), total_bytes);
  };
  const copied: BackupFile[] = [];
  const options = { onBytes, signal, pace: createPace(maxRate_bytes) };
  await makeFolder(draft, "data");
  for (const folder of folders) await makeFolder(draft, `data/${folder}`);
  const copyOne = async (path: string): Promise<void> => {
    const found = await copyFile(join(data, path), join(draft, "data", path), options);
    if (found !== undefined) copied.push({ path: `data/${path}`, ...found });
  };
  const others = files.filter((path) => path !== CONTROL_FILE);
  await pMap(others, copyOne, { concurrency: AT_ONCE });
  copied.push(await copyControlFile(data, draft));
  const [end] = await run<{ wal: string; label: string; finished_at: Date }[]>(db)`
    select pg_walfile_name(lsn) as wal, labelfile as label, clock_timestamp() as finished_at
      from pg_backup_stop(false)`;
  if (end === undefined) throw new Error("pg_backup_stop returned nothing");
  await writeFile(join(draft, "data/backup_label"), end.label, { mode: 0o600, flush: true });
  copied.push({ path: "data/backup_label", ...(await digestIn(draft, "data/backup_label")) });
  copied.push(...(await copyLog(copy, begun.wal, end.wal)));
  return {
    format: 1,
    kind: "physical",
    release: VERSION,
    ...described,
    started_at: begun.started_at.toISOString(),
    finished_at: end.finished_at.toISOString(),
    platform: `${process.platform}-${process.arch}`,
    system_identifier: begun.system_identifier,
    installation_id: copy.installationId ?? null,
    timeline: timelineOf(begun.wal),
    first_wal: begun.wal,
    last_wal: end.wal,
    folders: folders.map((folder) => `data/${folder}`),
    files: copied,
  };
}

/**
 * Copies the control file. PostgreSQL overwrites it in place, so a read may return a partly written file. If two reads
 * with a pause between them return the same content, the content is complete.
 */
async function copyControlFile(data: string, draft: string): Promise<BackupFile> {
  const path = join(data, CONTROL_FILE);
  let bytes = await readFile(path);
  for (let attempt = 0; ; attempt += 1) {
    await sleep(20);
    const again = await readFile(path);
    if (again.equals(bytes)) break;
    if (attempt === 100)
      throw new StartError(`${path} keeps changing, so it cannot be copied. Try again later.`);
    bytes = again;
  }
  await writeFile(join(draft, "data", CONTROL_FILE), bytes, { mode: 0o600, flush: true });
  return { path: `data/${CONTROL_FILE}`, ...(await digestIn(draft, `data/${CONTROL_FILE}`)) };
}

async function digestIn(draft: string, path: string): Promise<Omit<BackupFile, "path">> {
  const found = await digestOf(join(draft, path));
  if (found === undefined) throw new Error(`${path} has disappeared`);
  return found;
}

const isHistory = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name);

/** Copies the log files from the start to the end of the backup, and the timeline history. */
async function copyLog({ data, draft }: Copy, first: string, last: string) {
  const folder = join(data, "pg_wal");
  const isNeeded = (name: string) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last;
  const names = (await readdir(folder)).filter((name) => isNeeded(name) || isHistory(name));
  const copied: BackupFile[] = [];
  for (const name of names.toSorted()) {
    const path = `data/pg_wal/${name}`;
    const found = await copyFile(join(folder, name), join(draft, path));
    if (found !== undefined) copied.push({ path, ...found });
  }
  for (const name of [first, last]) {
    if (copied.some(({ path }) => path.endsWith(`/${name}`))) continue;
    throw new StartError(
      `The write-ahead log file ${name} was removed during the backup. Take the backup again.`,
    );
  }
  return copied;
}
