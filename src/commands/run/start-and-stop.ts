/**
 * Runs the parts of the service for `start`, `serve` and `worker`: opens the installation, starts the parts, waits for
 * a stop request, and stops them.
 */

import {
  addPoolMetrics,
  processRegistry,
  type SharedMetrics,
} from "../../platform/metrics/index.ts";
import { addInstallationMetrics, startWorker } from "../../service/index.ts";
import { isInstalled } from "../../platform/embedded/index.ts";
import type { Config } from "../../settings/index.ts";
import { type Installation, openInstallation, type OpenOptions } from "../installation.ts";
import {
  listen,
  listenForWorker,
  type Listening,
  type Measuring,
  mustBeAbleToListen,
} from "./listen.ts";
import { startBackups } from "./automatic-backups.ts";
import { listenInProcesses } from "./listen-in-processes.ts";
import { noteAddress } from "../service-address.ts";
import { baseOf } from "../welcome.ts";
import { within } from "../../platform/clock/index.ts";
import { watchStopRequests } from "./stopping.ts";

/** How long background work may take to stop. Unfinished work is resumed later. */
const WORK_WITHIN_MS = 4_000;

export interface ServiceParts {
  readonly open: OpenOptions;
  readonly api: boolean;
  readonly work: boolean;
  /** Set if this process is one of several. */
  readonly metrics?: SharedMetrics;
  readonly prepare?: (installation: Installation) => Promise<void>;
  /** Returns the lines to print when everything is running. `port` is undefined if nothing listens. */
  readonly announce: (installation: Installation, port: number | undefined) => readonly string[];
}

/**
 * Runs until a stop is requested, then continues to serve for SHUTDOWN_DRAIN_S or until a second signal. After that,
 * completes requests in progress and exits within 10 s: 4 s for responses and background work, 1 s for connections, 4 s
 * for the embedded database.
 */
export async function runService(env: NodeJS.ProcessEnv, parts: ServiceParts): Promise<void> {
  // Register the signal handlers first, so that a signal during database startup cannot leave the database running
  // after the process has exited.
  const { stopRequest, secondStopRequest } = watchStopRequests(env);
  // Crash recovery of a large database may take minutes, and a stop request must not wait for it.
  let isOpen = false;
  let isStopRequested = false;
  const exitWhenRequested = async (): Promise<void> => {
    await stopRequest;
    isStopRequested = true;
    if (!isOpen) process.exit(0);
  };
  void exitWhenRequested();
  // Serving processes share the first process's port, so only the first process checks that it is free.
  const listens = parts.api && parts.open.joins !== true;
  const beforeDatabase = async (config: Config): Promise<void> => {
    if (listens) await mustBeAbleToListen(config);
    if (parts.open.alone === true) announceDatabase(config);
  };
  const isWorker = !parts.api;
  const installation = await openInstallation(env, { ...parts.open, isWorker, beforeDatabase });
  isOpen = true;
  const register = processRegistry();
  addPoolMetrics(register, installation.db);
  // If there are several processes, only the first one reads the installation's metrics from the database.
  const isFirst = parts.open.joins !== true;
  const measured = isFirst ? addInstallationMetrics(register, installation.db.sql) : undefined;
  let api: Listening | undefined;
  let forget: (() => void) | undefined;
  let work: { stop(): Promise<void> } | undefined;
  let backups: { stop(): Promise<void> } | undefined;
  try {
    await parts.prepare?.(installation);
    api = await listenAsSet(installation, parts, { register, shared: parts.metrics });
    if (listens && api !== undefined) {
      forget = noteAddress(installation.config.dataDir, baseOf(installation, api.port));
    }
    if (parts.work) {
      work = await startWorker({ ...installation, register });
      backups = startBackups(installation, register);
    }
    const lines = parts.announce(installation, api?.port);
    if (lines.length > 0) console.log(lines.join("\n"));
    const reason = await stopRequest;
    installation.log.info(`Stopping: ${reason}`);
    const drain_ms = installation.config.shutdownDrain_s * 1000;
    if (drain_ms > 0 && parts.api && api !== undefined) {
      api.drain();
      await within(drain_ms, secondStopRequest);
    }
  } catch (error) {
    // After a stop request, an error is expected: the same signal may have stopped the serving processes before they
    // started to listen.
    if (!isStopRequested) throw error;
  } finally {
    const stopped = await Promise.allSettled([
      api?.close(),
      within(WORK_WITHIN_MS, Promise.resolve(work?.stop())),
      within(WORK_WITHIN_MS, Promise.resolve(backups?.stop())),
    ]);
    const failed = stopped.filter((one) => one.status === "rejected");
    for (const { reason } of failed) installation.log.warn({ err: reason as unknown }, "Stopping");
    forget?.();
    await measured?.close();
    await installation.close();
  }
  // Exit explicitly, in case a remaining timer or socket would keep the process alive.
  process.exit(0);
}

/** Prints what the start does next, because creating a database or recovering it after a crash takes seconds. */
function announceDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined) return;
  const action = isInstalled(dataDir) ? "Starting" : "Creating";
  console.log(`${action} the database in ${dataDir} …`);
}

async function listenAsSet(
  installation: Installation,
  { api }: ServiceParts,
  measuring: Measuring,
): Promise<Listening | undefined> {
  const { processes, workerPort } = installation.config;
  const { register } = measuring;
  if (api) {
    return processes > 1
      ? listenInProcesses(installation, register)
      : listen(installation, measuring);
  }
  return workerPort === undefined ? undefined : listenForWorker(installation, workerPort, register);
}
