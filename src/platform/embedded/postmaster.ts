/** One PostgreSQL server as a process: starting it, finding it, waiting for it and stopping it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readOrNothing } from "../storage/index.ts";
import { within } from "../clock/index.ts";
import { StartError } from "../errors/index.ts";
import type { Binaries } from "./binaries.ts";
import type { RunAs } from "./run-as.ts";
import { judge, readPidFile } from "./server-processes.ts";

export const SUPERUSER = "leadport";

/** A fast shutdown takes less than this unless the disk is very slow. */
const FAST_STOP_ms = 3_000;
const QUICK_STOP_ms = 1_000;
const LINE_EVERY_ms = 5_000;

/** Shows the operator what a start is waiting for. */
export type Notify = (message: string) => void;

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Settles when the process is gone, for whatever reason. */
  readonly exited: Promise<void>;
}

/** What it takes to run a server: the folder that holds `data`, the programs, and the user. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: Binaries;
  /** Undefined: the user of this process. */
  readonly runAs: RunAs | undefined;
}

export interface ServerOptions {
  readonly args: readonly string[];
  readonly port: number;
}

export const dataOf = ({ folder }: Pick<Cluster, "folder">): string => join(folder, "data");

/** The user's id if it is not ours, and nothing of our environment: it holds secrets. */
export const spawnOptions = ({ folder, runAs }: Cluster) => ({
  cwd: folder,
  env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" },
  ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
});

/** Throws a StartError if the cluster is of another major version than the programs. */
export function mustBeOurVersion(cluster: Cluster): void {
  const found = readFileSync(join(dataOf(cluster), "PG_VERSION"), "utf8").trim();
  const ours = cluster.binaries.version.split(".")[0];
  if (found === ours) return;
  throw new StartError(
    `The database in ${dataOf(cluster)} is of PostgreSQL ${found}, this program brings ${ours}. ` +
      "Upgrade it with pg_upgrade, or start the earlier program and export.",
  );
}

/**
 * The server that runs on this cluster, started by a process that is no more. Throws a StartError if a
 * process looks like it and may not be it: such a process is never signaled.
 */
export function findServer(cluster: Cluster): Postmaster | undefined {
  const data = dataOf(cluster);
  const file = readPidFile(data);
  if (file === undefined) return undefined;
  const verdict = judge(data, file);
  if (verdict === "uncertain") {
    throw new StartError(
      `Process ${file.pid} seems to run PostgreSQL on ${data}, but its start time or PID namespace is not ` +
        "the one that postmaster.pid records, so it is not stopped. Stop it yourself, and start again: " +
        `\n  kill -INT ${file.pid}`,
    );
  }
  if (verdict !== "server") return undefined;
  const isHere = () => judge(data, file) === "server";
  return { pid: file.pid, port: file.port, exited: endOf(isHere) };
}

async function endOf(isHere: () => boolean): Promise<void> {
  while (isHere()) await sleep(50, undefined, { ref: false });
}

/**
 * Starts the server and waits until it accepts connections, recovery from a crash included. If `end` is
 * aborted meanwhile, it is stopped. Throws a StartError with the server's own words if it does not start.
 */
export async function startServer(
  cluster: Cluster,
  { args, port }: ServerOptions,
  notify: Notify,
  end?: AbortSignal,
): Promise<Postmaster> {
  // A file, not a pipe: the server outlives a service that is killed.
  const log = join(cluster.folder, "start.log");
  const output = openSync(log, "w", 0o600);
  const child = spawn(
    cluster.binaries.postgres,
    ["-D", dataOf(cluster), "-p", String(port), ...args],
    // Its own process group: Ctrl-C is for the service, which stops the server in its turn.
    { ...spawnOptions(cluster), stdio: ["ignore", output, output], detached: true },
  );
  closeSync(output);
  child.unref();
  const { pid } = child;
  const exited = new Promise<void>((resolve) => {
    child.on("error", () => resolve());
    child.on("exit", () => resolve());
  });
  if (pid === undefined) {
    throw new StartError(`${cluster.binaries.postgres} cannot be run. Run \`npm ci\` again.`);
  }
  const server = { pid, port, exited };
  endWithUs(server);
  const state = await settles(cluster, server, notify, end);
  if (state === "ready") return server;
  if (state !== "ended") await stopServer(server);
  throw new StartError(`The database does not start: ${lastWords(cluster, log)}`);
}

const running = new Set<Postmaster>();

/** Makes a server end with this process, even if nothing has stopped it by then. */
export function endWithUs(server: Postmaster): void {
  running.add(server);
  void server.exited.then(() => running.delete(server));
}

process.on("exit", () => {
  for (const { pid } of running) signal(pid, "SIGINT");
});

/** False if the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Waits until a server is ready, is stopping or has to stop, or has ended. A recovery takes as long as it
 * takes: the server works, and another one would have to begin it again.
 */
export async function settles(
  cluster: Cluster,
  server: Postmaster,
  notify: Notify,
  end?: AbortSignal,
) {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const line = lineEvery(LINE_EVERY_ms, notify);
  for (; !ended; await sleep(10)) {
    const file = readPidFile(dataOf(cluster));
    if (file?.pid === server.pid && file.status === "ready") return "ready";
    if (file?.pid === server.pid && file.status === "stopping") return "stopping";
    if (end?.aborted === true) return "stopping";
    line(`Waiting for the database in ${cluster.folder}, which is starting or recovering`);
  }
  return "ended";
}

/** A message that is repeated at most once per period, the first time after one period. */
export function lineEvery(period_ms: number, notify: Notify): Notify {
  let due_ms = performance.now() + period_ms;
  return (message) => {
    if (performance.now() < due_ms) return;
    due_ms += period_ms;
    notify(message);
  };
}

/** Ends the server; what does not end in time is cut, and recovers at the next start. */
export async function stopServer(server: Postmaster): Promise<void> {
  for (const [name, patience_ms] of [
    ["SIGINT", FAST_STOP_ms],
    ["SIGQUIT", QUICK_STOP_ms],
    ["SIGKILL", QUICK_STOP_ms],
  ] as const) {
    if (!signal(server.pid, name)) return;
    if (await within(patience_ms, server.exited)) return;
  }
}

/** A port of 127.0.0.1 that no program listens on at this moment; with `wanted`, that one or an error. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export const tailOf = (text: string) => text.trim().split("\n").slice(-4).join(" / ");

/** Why a server did not start: its last lines, from before and after it opened its own log. */
function lastWords(cluster: Cluster, startLog: string): string {
  const folder = join(dataOf(cluster), "log");
  const logs = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const weekday = new Date().toUTCString().slice(0, 3);
  const today = logs.find((path) => basename(path).includes(weekday));
  const texts = [startLog, today ?? ""].map((path) => readOrNothing(path).slice(-4_000));
  return `${texts.map(tailOf).filter(Boolean).join(" / ")} (logs in ${dirname(startLog)})`;
}
