/** The service's own PostgreSQL: created, adopted, started again if it dies, and stopped with us. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import {
  type Holder,
  holderOf,
  openDataFolder,
  readSecret,
  removeNote,
  takeFolder,
  takeFolderPatiently,
  writeSecret,
} from "../storage/index.ts";
import { memoryAtHand, run, type ServerAddress, settingArguments } from "../database/index.ts";
import { StartError } from "../errors/index.ts";
import { clusterFolder, findCluster, recordCluster } from "./cluster-place.ts";
import { isBelow } from "./installation-file.ts";
import { keepRunning, startOnFreePort } from "./keeper.ts";
import { readSettings, STARTING, takeOver } from "./left-behind.ts";
import { openPassword } from "./make-cluster.ts";
import {
  type Cluster,
  dataOf,
  lineEvery,
  mustBeOurVersion,
  stopServer,
  SUPERUSER,
  type Notify,
} from "./postmaster.ts";
import { readPidFile } from "./server-processes.ts";

export { STATE_FOLDER } from "./run-as.ts";
export { clusterFolder, isInstalled } from "./cluster-place.ts";

const DATABASE = "leadport";
/** The socket's path has at most 107 bytes, on some systems 103. */
const PATH_MAX_bytes = 103;

export interface EmbeddedOptions {
  /** DATA_DIR, absolute. */
  readonly dataDir: string;
  /** Where the operator sees what is being waited for; standard error without it. */
  readonly log?: { warn(message: string): void };
  /** What the caller is: others wait for a command, and are refused by a service. */
  readonly kind?: Holder["kind"];
  /** Connections that the service's processes may open; 20 without it. */
  readonly connections?: number;
  /** Memory to reckon with; the machine's or container's without it. */
  readonly memory_bytes?: number;
  /** Called when the folder is ours, before anything is created in it: what it throws ends the start. */
  readonly beforeDatabase?: (() => Promise<void>) | undefined;
}

export interface Embedded {
  /** A superuser's address, with its password. */
  readonly url: string;
  /** Where a connection goes at this moment. */
  readonly address: () => ServerAddress;
  /** Whether it was found running, left behind by a service that was killed. */
  readonly adopted: boolean;
  /** Whether another process runs it, so that `stop` only lets go of it. */
  readonly attached: boolean;
  /** Where the cluster is, if that is not below DATA_DIR, and as whom it runs if not as us. */
  readonly elsewhere: string | undefined;
  readonly runsAs: string | undefined;
  readonly stop: () => Promise<void>;
}

/** Takes the data folder and runs its database. Throws a StartError that says what to do. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, kind = "service" } = options;
  openDataFolder(dataDir);
  const notify = notifierOf(options);
  const locks = [await lockOf(dataDir, dataDir, kind, notify)];
  const release = () => {
    for (const giveBack of locks) giveBack();
  };
  try {
    await options.beforeDatabase?.();
    const cluster = findCluster(dataDir);
    // Copies of a data folder name the same cluster if it is elsewhere.
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

async function lockOf(folder: string, dataDir: string, kind: Holder["kind"], notify: Notify) {
  const line = lineEvery(1_000, notify);
  const release = await takeFolderPatiently(folder, kind, 10_000, line);
  if (release !== undefined) return release;
  const { pid, since } = holderOf(folder) ?? {};
  throw new StartError(
    `Leadport already runs on ${dataDir} (process ${pid ?? "unknown"}, since ${since ?? "just now"}). ` +
      "Stop it first, or give this one a DATA_DIR and a PORT of its own.",
  );
}

/** A command's database: that of the running service, or one that is started for the command. */
export async function attachEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir } = options;
  openDataFolder(dataDir);
  const line = lineEvery(3_000, notifierOf(options));
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(50)) {
    const release = takeFolder(dataDir, options.kind ?? "command");
    if (release !== undefined) {
      release();
      return startEmbedded({ kind: "command", ...options });
    }
    const { kind, pid = "unknown" } = holderOf(dataDir) ?? {};
    // A service that is just starting has not written it yet.
    const url = readSecret(join(dataDir, "database-url"));
    if (kind === "service" && url !== undefined && (await responds(dataDir, url))) {
      return attachedTo(dataDir, url);
    }
    line(`Waiting for the database of process ${pid}`);
  }
  throw new StartError(
    `Process ${holderOf(dataDir)?.pid ?? "unknown"} has ${dataDir}, and its database does not respond.`,
  );
}

async function responds(dataDir: string, url: string): Promise<boolean> {
  const settings = await readSettings(url, listeningAddress(dataDir, url));
  return settings !== undefined && settings !== STARTING;
}

/** The database that this process's parent runs; this process ends with it and takes no folder. */
export function joinEmbedded(dataDir: string): Embedded {
  const url = readSecret(join(dataDir, "database-url"));
  if (url === undefined) throw new StartError(`No database runs on ${dataDir} any more.`);
  return attachedTo(dataDir, url);
}

const socketIn = (folder: string, port: string): string => join(folder, `.s.PGSQL.${port}`);

/** The folder for the socket of a cluster in this one; empty if the path would be too long. */
const socketFolderOf = (folder: string): string =>
  process.platform === "win32" || Buffer.byteLength(socketIn(folder, "65535")) > PATH_MAX_bytes
    ? ""
    : folder;

/**
 * The server of a data folder listens on TCP, or on its socket alone while another program has its port (keeper.ts). A socket
 * wakes its reader for each 8 kB, so that with many connections a page of 50 records takes 1.5 times as long.
 */
function listeningAddress(dataDir: string, url: string): () => ServerAddress {
  const { hostname: host, port } = new URL(url);
  const folder = clusterFolder(dataDir);
  const [tcp, socket] = [{ host, port: Number(port) }, { path: socketIn(folder, port) }];
  return () => (readPidFile(dataOf({ folder }))?.isSocketOnly === true ? socket : tcp);
}

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
  const { dataDir, connections = 20, memory_bytes = memoryAtHand() } = options;
  const notify = notifierOf(options);
  const password = await openPassword(dataDir, cluster);
  mustBeOurVersion(cluster);
  recordCluster(dataDir, cluster);
  const { args, fingerprint } = settingArguments(
    { memory_bytes, connections, socketFolder: socketFolderOf(cluster.folder) },
    cluster.binaries.version,
  );
  const addressOf = (port: number, database: string) =>
    `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

  const left = await takeOver(cluster, (port) => addressOf(port, "postgres"), fingerprint, notify);
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

/** Creates the service's database in the cluster if there is none yet. */
async function ensureDatabase(url: string, dataDir: string): Promise<void> {
  const options = { max: 1, connect_timeout: 10, fetch_types: false, onnotice: () => {} };
  const db = postgres(url, options);
  try {
    const found = await run(db)`select from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await db.unsafe(`create database ${DATABASE}`);
  } catch (error) {
    if ((error as { code?: string }).code !== "28P01") throw error;
    throw new StartError(
      `The database refuses the password in ${join(dataDir, "database-password")}. ` +
        "Restore that file from the backup that the database comes from.",
    );
  } finally {
    await db.end({ timeout: 5 });
  }
}
