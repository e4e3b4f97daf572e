/**
 * Rejects writes before the database's disk is full, because PostgreSQL crashes when it cannot write
 * its WAL. While less than the reserve is free, or for a while after PostgreSQL has reported a full
 * disk (53100), writes fail but reads continue. Writes resume automatically.
 */

import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { Logger } from "pino";
import { AppError, codeOf } from "../errors/index.ts";

const CHECK_ms = 1000;
/** How long writes are rejected after a 53100 error. After that, the next write is attempted. */
const REFUSED_ms = 5_000;
/** After this time without another 53100 error, the disk is considered to have space again. */
const OVER_ms = 15_000;
const RETRY = { "retry-after": "10" };

const MB = 1024 ** 2;
const RESERVE_MIN_bytes = 128 * MB;
const RESERVE_MAX_bytes = 1024 * MB;
const RESERVE_SHARE = 0.05;

export type DiskReserve = Awaited<ReturnType<typeof watchDisk>>;

interface DiskReserveOptions {
  /**
   * The database's folder. Undefined if the database runs elsewhere. In that case, only the database's errors indicate
   * a full disk.
   */
  readonly folder: string | undefined;
  /** The number of bytes to keep free. Default: a share of the disk. */
  readonly reserve_bytes: number | undefined;
  readonly log: Pick<Logger, "warn" | "info">;
}

/** Whether a statement failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === "53100";

export async function watchDisk(options: DiskReserveOptions) {
  const { folder, log } = options;
  let free_bytes: number | undefined;
  let reserve_bytes = 0;
  let isChecking = false;
  let refusedUntil_ms = -Infinity;
  let overAt_ms = -Infinity;
  let isReported = false;

  const isShort = (): boolean => free_bytes !== undefined && free_bytes < reserve_bytes;
  const hasSpace = (): boolean => !isShort() && performance.now() >= refusedUntil_ms;
  const report = (): void => {
    const isFull = isShort() || performance.now() < overAt_ms;
    if (isFull === isReported) return;
    isReported = isFull;
    const figures = { free_bytes, reserve_bytes };
    const disk = "The database's disk";
    if (isFull) log.warn(figures, `${disk} is full; writes are rejected, reads continue`);
    else log.info(figures, `${disk} has space again; writes are accepted`);
  };
  const check = async (): Promise<void> => {
    // If the disk hangs, no more than one check waits for it.
    if (isChecking) return;
    isChecking = true;
    try {
      if (folder !== undefined) {
        const { bavail, blocks, bsize } = await statfs(folder);
        reserve_bytes = options.reserve_bytes ?? defaultReserve(blocks * bsize);
        free_bytes = bavail * bsize;
      }
    } catch {
      // The folder cannot be read, so rely only on the database's errors.
      free_bytes = undefined;
    } finally {
      isChecking = false;
      report();
    }
  };
  await check();
  const timer = setInterval(() => void check(), CHECK_ms).unref();

  return {
    hasSpace,
    /** Throws 503 while writes are rejected. */
    mustHaveSpace: (): void => {
      if (!hasSpace()) throw diskFull();
    },
    /** Records an error that PostgreSQL returned to a request. */
    note: (error: unknown): void => {
      if (!isDiskFull(error)) return;
      const now_ms = performance.now();
      refusedUntil_ms = now_ms + REFUSED_ms;
      overAt_ms = now_ms + OVER_ms;
      report();
    },
    /** Free space on the disk of the embedded database. Undefined if the database runs elsewhere. */
    free_bytes: () => free_bytes,
    addTo: (register: Registry): void => {
      const registers = [register];
      const full: Gauge = new Gauge({
        name: "leadport_database_disk_full",
        help: "1 while writes are rejected because the database's disk is full, otherwise 0.",
        aggregator: "max",
        registers,
        collect: () => full.set(isReported ? 1 : 0),
      });
      if (folder === undefined) return;
      const free: Gauge = new Gauge({
        name: "leadport_database_disk_free_bytes",
        help: "Free space on the disk of the embedded database.",
        aggregator: "min",
        registers,
        collect: () => free.set(free_bytes ?? Number.NaN),
      });
    },
    close: () => clearInterval(timer),
  };
}

/** Returns the smaller of 1 GB and 5% of the disk, but at least 128 MB. */
export const defaultReserve = (disk_bytes: number): number =>
  Math.max(RESERVE_MIN_bytes, Math.min(RESERVE_MAX_bytes, disk_bytes * RESERVE_SHARE));

export const diskFull = (): AppError => new AppError("disk_full", { headers: RETRY });
