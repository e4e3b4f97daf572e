/**
 * Stops writing before the database's disk is full: PostgreSQL ends when it cannot write its log. While
 * less than the reserve is free, or PostgreSQL has said that the disk is full (53100), writes are refused
 * and reads continue. It ends automatically.
 */

import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { Logger } from "pino";
import { AppError } from "../errors/index.ts";

const CHECK_ms = 1000;
/** After a 53100 writes are refused for so long; then the next one finds out. */
const REFUSED_ms = 5_000;
/** As long without another 53100, and the disk is taken to have space again. */
const OVER_ms = 15_000;
const RETRY = { "retry-after": "10" };

const MB = 1024 ** 2;
const RESERVE_MIN_bytes = 128 * MB;
const RESERVE_MAX_bytes = 1024 * MB;
const RESERVE_SHARE = 0.05;

export type DiskReserve = Awaited<ReturnType<typeof watchDisk>>;

interface DiskReserveOptions {
  /** The database's folder; undefined if the database is elsewhere and only its errors count. */
  readonly folder: string | undefined;
  /** Bytes that stay free; a share of the disk without it. */
  readonly reserve_bytes: number | undefined;
  readonly log: Pick<Logger, "warn" | "info">;
}

/** Whether PostgreSQL found no space for a statement. */
export const isDiskFull = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === "53100";

export async function watchDisk(options: DiskReserveOptions) {
  const { folder, log } = options;
  let free_bytes: number | undefined;
  let reserve_bytes = 0;
  let isChecking = false;
  let refusedUntil_ms = -Infinity;
  let overAt_ms = -Infinity;
  let isTold = false;

  const isShort = (): boolean => free_bytes !== undefined && free_bytes < reserve_bytes;
  const hasSpace = (): boolean => !isShort() && performance.now() >= refusedUntil_ms;
  const tell = (): void => {
    const isFull = isShort() || performance.now() < overAt_ms;
    if (isFull === isTold) return;
    isTold = isFull;
    const figures = { free_bytes, reserve_bytes };
    const disk = "The database's disk";
    if (isFull) log.warn(figures, `${disk} is full: writes are refused, reads continue`);
    else log.info(figures, `${disk} has space again: writes are accepted`);
  };
  const check = async (): Promise<void> => {
    // A disk that hangs holds up one check, and not one more each second.
    if (isChecking) return;
    isChecking = true;
    try {
      if (folder !== undefined) {
        const { bavail, blocks, bsize } = await statfs(folder);
        reserve_bytes = options.reserve_bytes ?? defaultReserve(blocks * bsize);
        free_bytes = bavail * bsize;
      }
    } catch {
      // Whether the folder can be read is the database's concern.
      free_bytes = undefined;
    } finally {
      isChecking = false;
      tell();
    }
  };
  await check();
  const timer = setInterval(() => void check(), CHECK_ms).unref();

  return {
    hasSpace,
    /** Throws 503 while nothing may be written. */
    mustHaveSpace: (): void => {
      if (!hasSpace()) throw diskFull();
    },
    /** Takes note of an error that PostgreSQL returned to a request. */
    note: (error: unknown): void => {
      if (!isDiskFull(error)) return;
      const now_ms = performance.now();
      refusedUntil_ms = now_ms + REFUSED_ms;
      overAt_ms = now_ms + OVER_ms;
      tell();
    },
    /** Free space on the disk of the service's own database; undefined if the database is elsewhere. */
    free_bytes: () => free_bytes,
    addTo: (register: Registry): void => {
      const registers = [register];
      const full: Gauge = new Gauge({
        name: "leadport_database_disk_full",
        help: "1 while writes are refused because the database's disk has no space.",
        aggregator: "max",
        registers,
        collect: () => full.set(isTold ? 1 : 0),
      });
      if (folder === undefined) return;
      const free: Gauge = new Gauge({
        name: "leadport_database_disk_free_bytes",
        help: "Free space on the disk of the service's own database.",
        aggregator: "min",
        registers,
        collect: () => free.set(free_bytes ?? Number.NaN),
      });
    },
    close: () => clearInterval(timer),
  };
}

/** The smaller of 1 GB and 5 % of the disk, and at least 128 MB. */
export const defaultReserve = (disk_bytes: number): number =>
  Math.max(RESERVE_MIN_bytes, Math.min(RESERVE_MAX_bytes, disk_bytes * RESERVE_SHARE));

export const diskFull = (): AppError => new AppError("disk_full", { headers: RETRY });
