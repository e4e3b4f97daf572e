/** Adopts or stops servers and processes that a killed service left running. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../storage/index.ts";
import { within } from "../clock/index.ts";
import { StartError, codeOf, messageOf } from "../errors/index.ts";
import { clusterPlaces, RESTORING } from "./cluster-place.ts";
import {
  type Cluster,
  dataOf,
  endWithUs,
  findServer,
  lineEvery,
  type Postmaster,
  awaitState,
  signal,
  stopServer,
  type Notify,
} from "./postmaster.ts";
import { isAttached, pidFileOf, readPidFile, serverProcesses } from "./server-processes.ts";
import { openPool, run } from "../database/index.ts";
import type { ServerAddress } from "../pool/index.ts";

/** How long servers and processes may take to exit before they are killed. */
const PATIENCE_ms = 3_000;
const REPORT_EVERY_ms = 3_000;

/** Adopts a server that was left running if its settings match. Otherwise, stops it. */
export async function takeOver(
  cluster: Cluster,
  settingsOf: (port: number) => ReturnType<typeof readSettings>,
  fingerprint: string,
  notify: Notify,
): Promise<Postmaster | undefined> {
  const server = findServer(cluster);
  if (server === undefined) return undefined;
  const left = `database server that an earlier service left (process ${server.pid})`;
  const state = await awaitState(cluster, server, notify);
  if (state === "stopping") {
    notify(`Waiting for the ${left} to stop`);
    await forceStop(server);
  }
  if (state !== "ready") return undefined;
  const settings = await recoveredSettings(server, settingsOf, notify);
  if (settings === fingerprint) {
    endWithUs(server);
    return server;
  }
  const why = settings === undefined ? "does not respond" : "has different settings";
  notify(`The ${left} ${why}. Stopping it`);
  await stopServer(server);
  return undefined;
}

/** Removes a cluster. First stops its server if a killed command left it running. */
export async function removeCluster(folder: string): Promise<void> {
  const server = findServer({ folder });
  if (server !== undefined) await stopServer(server);
  rmSync(folder, { recursive: true, force: true });
}

/** Removes a temporary data folder and its cluster. First stops the server if a killed command left it running. */
export async function removeTemporary(dataDir: string): Promise<void> {
  for (const folder of clusterPlaces(dataDir)) await removeCluster(folder);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Removes the files of an interrupted restore so that the restore can be repeated. */
export async function clearInterrupted(dataDir: string): Promise<void> {
  for (const folder of clusterPlaces(dataDir)) {
    const mark = join(folder, RESTORING);
    if (!existsSync(mark)) continue;
    // A physical restore builds the data directory in this folder. Until it has moved the directory, it has written
    // nothing else.
    const hasMoved = !existsSync(join(mark, "data"));
    if (hasMoved) await removeOthers(folder, dataDir);
    // If this is interrupted, too, the folder still marks the restore as incomplete.
    await removeCluster(mark);
    if (hasMoved) rmSync(folder, { recursive: true, force: true });
  }
}

async function removeOthers(folder: string, dataDir: string): Promise<void> {
  const server = findServer({ folder });
  if (server !== undefined) await stopServer(server);
  for (const name of readdirSync(folder).filter((one) => one !== RESTORING)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  for (const name of ["database-password", "database-url", "installation.json"]) {
    rmSync(join(dataDir, name), { force: true });
  }
}

/** Stops a server whose shutdown may never finish. Like pg_ctl, sends SIGQUIT, then SIGKILL. */
export async function forceStop(server: Postmaster): Promise<void> {
  if (await within(PATIENCE_ms, server.exited)) return;
  if (signal(server.pid, "SIGQUIT") && (await within(PATIENCE_ms, server.exited))) return;
  signal(server.pid, "SIGKILL");
  await within(PATIENCE_ms, server.exited);
}

/** Returns the fingerprint of a server's settings after recovery, or undefined if the server does not respond. */
async function recoveredSettings(
  server: Postmaster,
  settingsOf: (port: number) => ReturnType<typeof readSettings>,
  notify: Notify,
) {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const line = lineEvery(REPORT_EVERY_ms, notify);
  for (; !ended; await sleep(50)) {
    const found = await settingsOf(server.port);
    if (found !== STARTING) return found;
    line(`Waiting for the database server (process ${server.pid}), which is recovering`);
  }
  return undefined;
}

/** Returned by `readSettings` instead of a fingerprint while the server is recovering. */
export const STARTING = Symbol("starting");

/** Returns the fingerprint of a server's settings, or undefined if the server does not respond. */
export async function readSettings(url: string, address: () => ServerAddress) {
  const db = openPool({ url, address, connect_ms: 5_000 });
  try {
    const [row] = await run<{ found: string | null }[]>(
      db,
    )`select current_setting('leadport.settings', true) as found`;
    return row?.found ?? "";
  } catch (error) {
    const isStarting = /starting up|recovery|not yet accepting/.test(messageOf(error));
    return codeOf(error) === "57P03" && isStarting ? STARTING : undefined;
  } finally {
    await db.end({ timeout: 1 });
  }
}

/**
 * Prepares for starting a server: stops the processes that a killed server left behind, and removes
 * its lock files if they would prevent startup. Throws a StartError if a process does not exit.
 */
export async function clearLeftovers(cluster: Cluster, notify: Notify): Promise<void> {
  const data = dataOf(cluster);
  // `findServer` throws if it is unclear whether the process in the lock file is the server.
  findServer(cluster);
  const line = lineEvery(1_000, notify);
  for (const name of [undefined, "SIGQUIT", "SIGKILL"] as const) {
    if (name !== undefined) for (const pid of serverProcesses(data)) signal(pid, name);
    const until = performance.now() + PATIENCE_ms;
    for (; performance.now() < until; await sleep(10)) {
      const pids = serverProcesses(data);
      const file = readPidFile(data);
      const isInUse = pids.length > 0 || (file !== undefined && isAttached(file));
      if (!isInUse) return clearLocks(cluster);
      line(`Waiting for processes of a killed database server to end (${pids.join(", ")})`);
    }
  }
  const pids = serverProcesses(data).join(", ");
  throw new StartError(
    pids === ""
      ? `A process that is not visible here, for example in another container, still uses the database in ${data}. ` +
          "Stop it and start again."
      : `The processes ${pids} of a killed database server still use ${data} and do not end. ` +
          "Stop them, or restart the machine.",
  );
}

/** Removes lock files that PostgreSQL would consider valid because another process now has the same pid. */
function clearLocks(cluster: Cluster): void {
  const data = dataOf(cluster);
  const file = readPidFile(data);
  if (file !== undefined && isAlive(file.pid)) rmSync(pidFileOf(data), { force: true });
  for (const name of readdirSync(cluster.folder)) {
    if (name.startsWith(".s.PGSQL.")) rmSync(join(cluster.folder, name), { force: true });
  }
}
