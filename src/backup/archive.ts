/**
 * The archive of the write-ahead log. PostgreSQL copies each finished log file to a folder next to the cluster
 * (`archive_command`). From there, the service compresses it into BACKUP_DIR/wal. PostgreSQL's user therefore needs no
 * access to BACKUP_DIR, and an unreachable BACKUP_DIR does not stop the database.
 */

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, type Stats } from "node:fs";
import { chmod, chown, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { messageOf, StartError } from "../platform/errors/index.ts";
import { type Owner, syncFolder } from "./contents/index.ts";

/** The maximum size of a log file. The default is 16 MB, but a cluster can be created with a size of up to 1 GB. */
const SEGMENT_MAX_bytes = 1024 * 1024 * 1024;

const LOG_FILE = /^(?:[0-9A-F]{24}|[0-9A-F]{8}\.history)$/;
const PACKED_FILE = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)\.gz$/;
const isTimelineFile = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name);

/** Compresses the finished log files in a spool and moves them into the archive. Returns the number of files. */
export async function packLog(spool: string, archive: string): Promise<number> {
  const all = await readdir(spool).catch(() => []);
  // Remove the files that PostgreSQL writes at the end of each backup (`.backup`). The backup's manifest contains the
  // same information.
  for (const name of all.filter((one) => one.endsWith(".backup"))) await rm(join(spool, name));
  const names = all.filter((name) => LOG_FILE.test(name));
  for (const name of names.toSorted()) {
    await pack(join(spool, name), archive, name);
    await rm(join(spool, name));
  }
  return names.length;
}

/**
 * Copies the timeline files of a data directory into the archive. A restore starts a new timeline while nothing is
 * archived. The next restore must find its file in the archive, or it would use the same timeline again.
 */
export async function packTimelines(data: string, archive: string): Promise<void> {
  const folder = join(data, "pg_wal");
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isTimelineFile)) await pack(join(folder, name), archive, name);
}

/** Compresses a file into the archive. Never replaces an archived file that has other contents. */
async function pack(path: string, archive: string, name: string): Promise<void> {
  const draft = join(archive, `.${name}.partial`);
  const target = join(archive, `${name}.gz`);
  // The file is already in the archive if the service was killed before it could remove the file from the spool.
  if (existsSync(target)) return mustContain(target, path);
  await mkdir(archive, { recursive: true, mode: 0o700 });
  await pipeline(
    createReadStream(path),
    createGzip({ level: 1 }),
    createWriteStream(draft, { mode: 0o600, flush: true }),
  );
  await rename(draft, target);
  await syncFolder(archive);
}

async function mustContain(packed: string, path: string): Promise<void> {
  const found = createHash("sha256");
  const wanted = createHash("sha256");
  await pipeline(createReadStream(path), wanted);
  const isEqual = await pipeline(createReadStream(packed), createGunzip(), found).then(
    () => found.digest("hex") === wanted.digest("hex"),
    () => false,
  );
  if (isEqual) return;
  throw new StartError(
    `${packed} already exists with other contents and is not overwritten. It may belong to another database, or to ` +
      "changes that were lost in a restore. Set BACKUP_DIR to a new folder and restart the service.",
  );
}

/** Returns the names of the archived log files, excluding timeline files. */
export async function listArchive(archive: string): Promise<readonly string[]> {
  const names = await readdir(archive).catch(() => []);
  return names
    .flatMap((name) => PACKED_FILE.exec(name)?.[1] ?? [])
    .filter((name) => name.length === 24);
}

/**
 * Removes the archived log files that no backup needs. `first` is the position of the first file that is needed: its
 * name without the timeline, because the timeline does not show how old a file is.
 */
export async function pruneLog(archive: string, first: string): Promise<number> {
  let removed = 0;
  for (const name of await readdir(archive).catch(() => [])) {
    const [, log = ""] = PACKED_FILE.exec(name) ?? [];
    if (log.length !== 24 || log.slice(8) >= first) continue;
    await rm(join(archive, name));
    removed += 1;
  }
  return removed;
}

interface UnpackOptions {
  /** The first log file that is needed for the recovery. If undefined, only the timeline files are needed. */
  readonly first: string | undefined;
  readonly owner: Owner | undefined;
}

/**
 * Decompresses the log for a recovery, except for files that are already in the folder. An archive is untrusted input:
 * links and oversized files are rejected.
 */
export async function unpackLog(
  archive: string,
  folder: string,
  { first, owner }: UnpackOptions,
): Promise<void> {
  const isNeeded = (log: string): boolean =>
    isTimelineFile(log) || (first !== undefined && log.slice(8) >= first.slice(8));
  for (const name of (await readdir(archive)).toSorted()) {
    const [, log] = PACKED_FILE.exec(name) ?? [];
    if (log === undefined || !isNeeded(log)) continue;
    const from = join(archive, name);
    const to = join(folder, log);
    if (existsSync(to)) continue;
    const entry: Stats = await lstat(from);
    if (!entry.isFile()) throw new StartError(`${from} is not a regular file.`);
    try {
      const target = createWriteStream(to, { mode: 0o600, flags: "wx" });
      await pipeline(createReadStream(from), createGunzip(), atMost(SEGMENT_MAX_bytes), target);
    } catch (error) {
      throw new StartError(`${from} is damaged (${messageOf(error)}).`, { cause: error });
    }
    if (owner !== undefined) await chown(to, owner.uid, owner.gid);
  }
}

function atMost(max_bytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > max_bytes) done(new Error("it is larger than a write-ahead log file"));
      else done(null, chunk);
    },
  });
}

/** Returns the settings that make PostgreSQL archive its log into a spool. */
export function archiveSettings(spool: string): Readonly<Record<string, string>> {
  const path = `'${spool.replaceAll("'", `'\\''`)}'`.replaceAll("%", "%%");
  const draft = `${path}/%f.partial`;
  const target = `${path}/%f`;
  return {
    archive_mode: "on",
    // Some versions of `sync` do not accept a file name. Without one, `sync` flushes everything.
    archive_command: `cp "%p" ${draft} && { sync ${draft} || sync; } && mv ${draft} ${target}`,
    archive_timeout: "60",
  };
}

/** Returns the folder where a cluster's server puts finished log files. */
export const spoolOf = (clusterFolder: string): string => join(clusterFolder, "archive");

/** Creates a cluster's spool, which PostgreSQL's user writes to. */
export async function makeSpool(spool: string, owner: Owner | undefined): Promise<void> {
  await mkdir(spool, { recursive: true, mode: 0o700 });
  await chmod(spool, 0o700);
  if (owner !== undefined) await chown(spool, owner.uid, owner.gid);
}
