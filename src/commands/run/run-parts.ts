/** The three ways to run the service, which are one: open, start the parts, wait, stop the parts. */

import {
  addPoolMetrics,
  processRegistry,
  type SharedMetrics,
} from "../../platform/metrics/index.ts";
import { addInstallationMetrics, startWorker } from "../../service/index.ts";
import { type Installation, openInstallation, type OpenOptions } from "../installation.ts";
import {
  listen,
  listenForWorker,
  type Listening,
  type Measuring,
  mustBeAbleToListen,
} from "./listen.ts";
import { listenInProcesses } from "./listen-in-processes.ts";
import { within } from "../../platform/clock/index.ts";
import { askedToStop } from "./stopping.ts";

/** How long background work may take to put down what it holds; the rest is picked up later. */
const WORK_WITHIN_MS = 4_000;

export interface ServiceParts {
  readonly open: OpenOptions;
  readonly api: boolean;
  readonly work: boolean;
  /** Where this process is one of several. */
  readonly metrics?: SharedMetrics;
  readonly prepare?: (installation: Installation) => Promise<void>;
  /** What to print when all of it runs; `port` is undefined if nothing listens. */
  readonly announce: (installation: Installation, port: number | undefined) => readonly string[];
}

/**
 * Runs until it is asked to stop, and then serves on for SHUTDOWN_DRAIN_S or until a second signal. Then
 * answers what is in flight and ends, all within 10 s: 4 s for answers and work, 1 s for connections, 4 s
 * for our own database.
 */
export async function runParts(env: NodeJS.ProcessEnv, parts: ServiceParts): Promise<void> {
  // From the first moment: a signal while the database starts must not leave it behind.
  const { asked, askedAgain } = askedToStop(env);
  // Recovery of a large database may take minutes: nobody waits for it who has asked to stop.
  let [isOpen, isAsked] = [false, false];
  const endWhenAsked = async (): Promise<void> => {
    await asked;
    isAsked = true;
    if (!isOpen) process.exit(0);
  };
  void endWhenAsked();
  // A process of several listens on the port of the first.
  const listens = parts.api && parts.open.joins !== true;
  const beforeDatabase = listens ? mustBeAbleToListen : undefined;
  const installation = await openInstallation(env, { ...parts.open, beforeDatabase });
  isOpen = true;
  const register = processRegistry();
  addPoolMetrics(register, installation.db);
  // Of several processes only the first one measures the installation.
  const isFirst = parts.open.joins !== true;
  const measured = isFirst ? addInstallationMetrics(register, installation.db.sql) : undefined;
  let api: Listening | undefined;
  let work: { stop(): Promise<void> } | undefined;
  try {
    await parts.prepare?.(installation);
    api = await listenAsSet(installation, parts, { register, shared: parts.metrics });
    if (parts.work) work = await startWorker({ ...installation, register });
    const lines = parts.announce(installation, api?.port);
    if (lines.length > 0) console.log(lines.join("\n"));
    const reason = await asked;
    installation.log.info(`Stopping: ${reason}`);
    const drain_ms = installation.config.shutdownDrain_s * 1000;
    if (drain_ms > 0 && parts.api && api !== undefined) {
      api.drain();
      await within(drain_ms, askedAgain);
    }
  } catch (error) {
    // The signal may have gone to processes that were to serve, too, before they did.
    if (!isAsked) throw error;
  } finally {
    const stopped = await Promise.allSettled([
      api?.close(),
      within(WORK_WITHIN_MS, Promise.resolve(work?.stop())),
    ]);
    const failed = stopped.filter((one) => one.status === "rejected");
    for (const { reason } of failed) installation.log.warn({ err: reason as unknown }, "Stopping");
    await measured?.close();
    await installation.close();
  }
  // Nothing that is left over, a timer or a socket, keeps a stopped service alive.
  process.exit(0);
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
