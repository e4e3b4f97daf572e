/**
 * The service's own PostgreSQL, in the data folder: made at the first start, adopted or stopped
 * where it outlived a service that was killed, started again where it dies, and stopped with us.
 */

import { createHash, randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { type Holder, holderOf, openDataFolder, readSecret } from "./data-folder.ts";
import { takeFolder, takeFolderPatiently, unwritable, writeSecret } from "./data-folder.ts";
import { below, noteIn, socketBeside, socketFolderOf } from "./database-socket.ts";
import { findBinaries } from "./postgres-binaries.ts";
import { memoryAtHand, settingArguments } from "./postgres-settings.ts";
import { becomesReady, type Cluster, dataOf, findServer, freePort } from "./postmaster.ts";
import { endWithUs, makeCluster, mustBeOurVersion, type Postmaster } from "./postmaster.ts";
import { startServer, stopServer, SUPERUSER } from "./postmaster.ts";
import { makePublicFolder, reaches, runAsFor, STATE_FOLDER } from "./run-as.ts";
import { StartError } from "./start-error.ts";

const DATABASE = "leadport";

export interface EmbeddedOptions {
  /** DATA_DIR, absolute. */
  readonly dataDir: string;
  readonly log?: { warn(message: string): void };
  /** What the caller is: others wait for a command, and are refused by a service. */
  readonly kind?: Holder["kind"];
  /** Connections that the service's processes may open; 20 without it. */
  readonly connections?: number;
  /** Memory to reckon with; the machine's or container's without it. */
  readonly memory_bytes?: number;
}

export interface Embedded {
  /** A superuser's address, with its password. */
  readonly url: string;
  /** Its socket, where this process may use it: the shorter way. */
  readonly socket: string | undefined;
  /** Whether it was found running, left behind by a service that was killed. */
  readonly adopted: boolean;
  /** Whether another process runs it, so that `stop` only lets go of it. */
  readonly attached: boolean;
  /** Where the cluster is, if that is not below DATA_DIR, and as whom it runs if not as us. */
  readonly elsewhere: string | undefined;
  readonly runsAs: string | undefined;
  readonly stop: () => Promise<void>;
}

/**
 * Takes the data folder and runs its database. Throws a StartError where the folder cannot be
 * written, another process has it, or the database does not start; each says what to do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, kind = "service" } = options;
  openDataFolder(dataDir);
  const lock = await takeFolderPatiently(dataDir, kind, 10_000);
  if (lock === undefined) throw inUse(dataDir);
  try {
    const running = await run(options);
    return {
      ...running,
      stop: async () => {
        await running.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * The database of a data folder for a command: that of the service that runs on it, or one that is
 * started for as long as it is needed (D11.6).
 */
export async function attachEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir } = options;
  openDataFolder(dataDir);
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(50)) {
    const lock = takeFolder(dataDir, options.kind ?? "command");
    if (lock !== undefined) {
      lock.release();
      return startEmbedded({ kind: "command", ...options });
    }
    // A service that is just starting has not written it yet.
    const url = readSecret(join(dataDir, "database-url"));
    if (holderOf(dataDir)?.kind === "service" && url !== undefined && (await answers(url))) {
      return attachedTo(dataDir, url);
    }
  }
  throw new StartError(
    `Process ${holderOf(dataDir)?.pid ?? "unknown"} has ${dataDir}, and its database does not answer.`,
  );
}

/**
 * The database that the process which started this one runs. Never takes the folder: should that
 * process be killed, this one ends, too.
 */
export function joinEmbedded(dataDir: string): Embedded {
  const url = readSecret(join(dataDir, "database-url"));
  if (url === undefined) throw new StartError(`No database runs on ${dataDir} any more.`);
  return attachedTo(dataDir, url);
}

const attachedTo = (dataDir: string, url: string): Embedded => ({
  ...{ url, adopted: false, attached: true, elsewhere: undefined, runsAs: undefined },
  socket: socketBeside(dataDir, url),
  stop: () => Promise.resolve(),
});

function inUse(dataDir: string): StartError {
  const { pid, since } = holderOf(dataDir) ?? {};
  return new StartError(
    `Leadport already runs on ${dataDir} (process ${pid ?? "unknown"}, since ${since ?? "just now"}). ` +
      "Stop it first, or give this one a DATA_DIR and a PORT of its own.",
  );
}

async function run(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, connections = 20, memory_bytes = memoryAtHand() } = options;
  const cluster = openCluster(dataDir);
  const password = await openPassword(dataDir, cluster);
  mustBeOurVersion(cluster);
  const { args, fingerprint } = settingArguments(
    { memory_bytes, connections, socketFolder: socketFolderOf(cluster.folder) },
    cluster.binaries.version,
  );
  const addressOf = (port: number, database: string) =>
    `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

  const left = await adopt(cluster, (port) => addressOf(port, "postgres"), fingerprint);
  const server = left ?? (await startOnFreePort(cluster, args));
  await ensureDatabase(addressOf(server.port, "postgres"));
  const url = addressOf(server.port, DATABASE);
  writeSecret(join(dataDir, "database-url"), url);
  const keeper = keepRunning(cluster, args, server, options.log);
  return {
    url,
    socket: socketBeside(dataDir, url),
    adopted: left !== undefined,
    attached: false,
    elsewhere: cluster.folder.startsWith(dataDir) ? undefined : cluster.folder,
    runsAs: cluster.runAs?.name,
    stop: async () => {
      rmSync(join(dataDir, "database-url"), { force: true });
      await keeper.stop();
    },
  };
}

/** Where the cluster is and who runs it: below DATA_DIR, or where PostgreSQL's user reaches it. */
function openCluster(dataDir: string): Cluster {
  const [note, own] = [noteIn(dataDir), below(dataDir)];
  const noted = readSecret(note);
  const runAs = runAsFor(join(noted ?? own, "data"));
  const binaries = findBinaries(runAs);
  const folder = noted ?? (runAs === undefined || reaches(runAs, own) ? own : other(dataDir));
  try {
    if (folder !== own) makePublicFolder(STATE_FOLDER);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (runAs !== undefined) chownSync(folder, runAs.uid, runAs.gid);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw unwritable(folder, error);
  }
  if (folder !== own && noted === undefined) writeSecret(note, folder);
  return { folder, binaries, runAs };
}

/** The same for every start on one data folder, and not another's. */
const other = (dataDir: string) =>
  join(STATE_FOLDER, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));

/** The superuser's password; makes the cluster with it where there is none yet. */
async function openPassword(dataDir: string, cluster: Cluster): Promise<string> {
  const path = join(dataDir, "database-password");
  const kept = readSecret(path);
  if (existsSync(join(dataOf(cluster), "PG_VERSION"))) {
    if (kept !== undefined) return kept;
    throw new StartError(
      `${path} is missing, and the database in ${cluster.folder} opens with nothing else.`,
    );
  }
  const password = kept ?? randomBytes(24).toString("base64url");
  if (kept === undefined) writeSecret(path, password);
  const copy = join(cluster.folder, "password");
  try {
    writeFileSync(copy, `${password}\n`, { mode: 0o600 });
    if (cluster.runAs !== undefined) chownSync(copy, cluster.runAs.uid, cluster.runAs.gid);
    await makeCluster(cluster, copy);
  } finally {
    rmSync(copy, { force: true });
  }
  return password;
}

/** Goes on with a server that was left running; stops it where it is not as we would start it. */
async function adopt(
  cluster: Cluster,
  addressOf: (port: number) => string,
  fingerprint: string,
): Promise<Postmaster | undefined> {
  const server = findServer(cluster);
  if (server === undefined || !(await becomesReady(cluster, server))) return undefined;
  const settings = await readSettings(addressOf(server.port));
  if (settings === fingerprint) {
    endWithUs(server);
    return server;
  }
  await stopServer(server);
  return undefined;
}

async function readSettings(url: string): Promise<string | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql`select current_setting('leadport.settings', true) as found`;
    return row?.["found"] as string | undefined;
  } catch {
    return undefined;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const answers = async (url: string) => (await readSettings(url)) !== undefined;

async function startOnFreePort(cluster: Cluster, args: readonly string[]): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startServer(cluster, args, await freePort());
    } catch (error) {
      // Somebody took the port in the moment between.
      if (attempt === 3 || !/could not bind/.test((error as Error).message)) throw error;
    }
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const found = await sql`select from pg_database where datname = ${DATABASE}`;
    if (found.length === 0) await sql.unsafe(`create database ${DATABASE}`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Starts the server again, on its port, whenever it ends without our doing; meanwhile the service
 * answers 503 and its pools try to connect. Tries at once, then after 0.2 s, doubling up to 10 s.
 */
function keepRunning(
  cluster: Cluster,
  args: readonly string[],
  first: Postmaster,
  log: EmbeddedOptions["log"],
): { stop(): Promise<void> } {
  let server: Postmaster | undefined = first;
  const stopping = new AbortController();

  const watch = async () => {
    while (!stopping.signal.aborted) {
      await server?.exited;
      if (stopping.signal.aborted) return;
      log?.warn("The database ended unexpectedly; starting it again");
      server = undefined;
      for (let wait_ms = 200; server === undefined; wait_ms = Math.min(wait_ms * 2, 10_000)) {
        try {
          server = await startServer(cluster, args, first.port);
        } catch (error) {
          log?.warn((error as Error).message);
          await sleep(wait_ms, undefined, { signal: stopping.signal }).catch(() => {});
        }
        if (stopping.signal.aborted) return;
      }
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      stopping.abort();
      if (server !== undefined) await stopServer(server);
      await watching;
      // A start that was under way when the stop came.
      if (server !== undefined) await stopServer(server);
    },
  };
}
