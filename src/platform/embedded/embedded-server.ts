/** Creates or adopts the embedded PostgreSQL server, restarts it if it dies, and stops it with the service. */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { raw } from "sql-template-tag";
import {
  type Holder,
  holderOf,
  openDataFolder,
  readSecret,
  removeNote,
  lockFolder,
  lockFolderPatiently,
  usedByCommand,
  writeSecret,
} from "../storage/index.ts";
import { openPool, run } from "../database/index.ts";
import { availableMemory, settingArguments } from "./postgres-settings.ts";
import type { ServerAddress } from "../pool/index.ts";
import { StartError, codeOf } from "../errors/index.ts";
import {
  clusterFolder,
  emptyCluster,
  findCluster,
  recordCluster,
  RESTORING,
} from "./cluster-place.ts";
import { isBelow } from "./installation-file.ts";
import { keepRunning, startOnFreePort } from "./keeper.ts";
import { readSettings, removeTemporary, STARTING, takeOver } from "./left-behind.ts";
import { listeningAddress, socketFolderOf } from "./listening-address.ts";
import { mustBeOurVersion } from "./major-version.ts";
import { openPassword } from "./make-cluster.ts";
import { type Cluster, lineEvery, stopServer, SUPERUSER, type Notify } from "./postmaster.ts";

const DATABASE = "leadport";

export interface EmbeddedOptions {
  /** The absolute path of DATA_DIR. */
  readonly dataDir: string;
  /** Receives progress messages for the operator. Default: standard error. */
  readonly log?: { warn(message: string): void };
  /**
   * Whether the caller is a service or a command. If a command uses the data folder, other processes wait until it has
   * finished. If a service uses it, they fail.
   */
  readonly kind?: Holder["kind"];
  /** Maximum number of connections from all service processes together. Default: 20. */
  readonly connections?: number;
  /** The memory that the server's settings are calculated for. Default: the memory of the machine or container. */
  readonly memory_bytes?: number;
  /** Returns additional server settings for a cluster. */
  readonly further?: ((cluster: Cluster) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Whether this start is part of a restore in progress. */
  readonly mayRestore?: boolean | undefined;
  /** Called once the data folder is locked, before anything is created in it. If it throws, startup fails. */
  readonly beforeDatabase?: (() => Promise<void>) | undefined;
}

export interface Embedded {
  /** The superuser's URL, including the password. */
  readonly url: string;
  /** The server's current address. */
  readonly address: () => ServerAddress;
  /** Whether the server was already running, because an earlier service process was killed. */
  readonly adopted: boolean;
  /** Whether another process runs the server, so that `stop` only detaches from it. */
  readonly attached: boolean;
  /** The cluster's folder, if it is not inside DATA_DIR. */
  readonly elsewhere: string | undefined;
  /** The user that the server runs as, if it is not the current user. */
  readonly runsAs: string | undefined;
  readonly stop: () => Promise<void>;
}

/** Locks the data folder and runs its database. If that fails, throws a StartError that explains what to do. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, kind = "service" } = options;
  openDataFolder(dataDir);
  const notify = notifierOf(options);
  const locks = [await lockOf(dataDir, dataDir, kind, notify)];
  const release = () => {
    for (const unlock of locks) unlock();
  };
  try {
    await options.beforeDatabase?.();
    const cluster = findCluster(dataDir, options);
    mustBeOurVersion(dataDir, cluster.folder);
    // Copies of the data folder can refer to the same cluster, so the cluster has its own lock.
    if (!isBelow(dataDir, cluster.folder)) {
      locks.push(await lockOf(cluster.folder, dataDir, kind, notify));
    }
    const running = await runCluster(options, cluster);
    return {
      ...running,
      stop: async () => {
        await running.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Creates a cluster for an empty data folder and runs `work` with it. If `work` fails, the cluster is treated as an
 * interrupted restore and cannot be started.
 */
export async function withNewCluster(
  dataDir: string,
  work: (embedded: Embedded) => Promise<void>,
): Promise<void> {
  const { folder } = emptyCluster(dataDir);
  const mark = join(folder, RESTORING);
  mkdirSync(mark, { recursive: true });
  const embedded = await startEmbedded({ dataDir, kind: "command", mayRestore: true });
  try {
    await work(embedded);
    rmSync(mark, { recursive: true });
  } finally {
    await embedded.stop();
  }
}

/** Like `withNewCluster`, but removes the data folder and its cluster at the end, wherever the cluster is. */
export async function withTemporaryCluster(
  dataDir: string,
  work: (embedded: Embedded) => Promise<void>,
): Promise<void> {
  try {
    await withNewCluster(dataDir, work);
  } finally {
    await removeTemporary(dataDir);
  }
}

async function lockOf(folder: string, dataDir: string, kind: Holder["kind"], notify: Notify) {
  const line = lineEvery(1_000, notify);
  const release = await lockFolderPatiently(folder, kind, 10_000, line);
  if (release !== undefined) return release;
  const { pid, since } = holderOf(folder) ?? {};
  throw new StartError(
    `Leadport is already running with ${dataDir} (process ${pid ?? "unknown"}, since ${since ?? "just now"}). ` +
      "Stop it first, or set a different DATA_DIR and PORT for this one.",
  );
}

/** Returns the database for a command: the running service's database, or one that is started for the command. */
export async function attachEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir } = options;
  openDataFolder(dataDir);
  const line = lineEvery(3_000, notifierOf(options));
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(50)) {
    const release = lockFolder(dataDir, options.kind ?? "command");
    if (release !== undefined) {
      release();
      return startEmbedded({ kind: "command", ...options });
    }
    const { kind, pid = "unknown" } = holderOf(dataDir) ?? {};
    // The file does not exist while the service is still starting.
    const url = readSecret(join(dataDir, "database-url"));
    if (kind === "service" && url !== undefined && (await responds(dataDir, url))) {
      mustBeOurVersion(dataDir, clusterFolder(dataDir));
      return attachedTo(dataDir, url);
    }
    line(`Waiting for the database of process ${pid}`);
  }
  const holder = holderOf(dataDir);
  if (holder?.kind === "command") throw usedByCommand(dataDir, holder);
  throw new StartError(
    `Process ${holder?.pid ?? "unknown"} uses ${dataDir}, but its database does not respond. ` +
      "Try again, or stop that process.",
  );
}

async function responds(dataDir: string, url: string): Promise<boolean> {
  const settings = await settingsAt(dataDir, url);
  return settings !== undefined && settings !== STARTING;
}

/** Returns the parent process's database. This process exits with its parent, so it does not lock the data folder. */
export function joinEmbedded(dataDir: string): Embedded {
  const url = readSecret(join(dataDir, "database-url"));
  if (url === undefined) throw new StartError(`The database of ${dataDir} is no longer running.`);
  return attachedTo(dataDir, url);
}

const settingsAt = (dataDir: string, url: string) =>
  readSettings(url, listeningAddress(dataDir, url));

const attachedTo = (dataDir: string, url: string): Embedded => ({
  url,
  adopted: false,
  attached: true,
  elsewhere: undefined,
  runsAs: undefined,
  address: listeningAddress(dataDir, url),
  stop: () => Promise.resolve(),
});

async function runCluster(options: EmbeddedOptions, cluster: Cluster): Promise<Embedded> {
  const { dataDir, connections = 20, memory_bytes = availableMemory() } = options;
  const notify = notifierOf(options);
  const password = await openPassword(dataDir, cluster);
  recordCluster(dataDir, cluster);
  const further = (await options.further?.(cluster)) ?? {};
  const { args, fingerprint } = settingArguments(
    { memory_bytes, connections, socketFolder: socketFolderOf(cluster.folder), further },
    cluster.binaries.version,
  );
  const addressOf = (port: number, database: string) =>
    `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

  const settingsOf = (port: number) => settingsAt(dataDir, addressOf(port, "postgres"));
  const left = await takeOver(cluster, settingsOf, fingerprint, notify);
  const server = left ?? (await startOnFreePort(cluster, args, notify));
  const url = addressOf(server.port, DATABASE);
  const note = join(dataDir, "database-url");
  try {
    await ensureDatabase(addressOf(server.port, "postgres"), dataDir);
    writeSecret(note, url);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  const keeper = keepRunning(cluster, args, server, notify);
  return {
    url,
    address: listeningAddress(dataDir, url),
    adopted: left !== undefined,
    attached: false,
    elsewhere: isBelow(dataDir, cluster.folder) ? undefined : cluster.folder,
    runsAs: cluster.runAs?.name,
    stop: async () => {
      removeNote(note);
      await keeper.stop();
    },
  };
}

const notifierOf = ({ log }: EmbeddedOptions): Notify =>
  log === undefined ? (message) => console.error(message) : (message) => log.warn(message);

/** Creates the service's database in the cluster if it does not exist yet. */
async function ensureDatabase(url: string, dataDir: string): Promise<void> {
  const db = openPool({ url, address: listeningAddress(dataDir, url) });
  try {
    const found = await run(db)`select from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await run(db)`create database ${raw(DATABASE)}`;
  } catch (error) {
    if (codeOf(error) !== "28P01") throw error;
    throw new StartError(
      `The database rejected the password in ${join(dataDir, "database-password")}. ` +
        "Restore that file from the same backup as the database.",
    );
  } finally {
    await db.end({ timeout: 5 });
  }
}
