/** Starts, finds, awaits and stops the main process of a PostgreSQL server. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readOrNothing } from "../storage/index.ts";
import { within } from "../clock/index.ts";
import { StartError } from "../errors/index.ts";
import type { Binaries } from "./binaries.ts";
import type { RunAs } from "./run-as.ts";
import { classify, readPidFile } from "./server-processes.ts";

export const SUPERUSER = "leadport";

/** The time within which a fast shutdown finishes, unless the disk is very slow. */
const FAST_STOP_ms = 3_000;
const QUICK_STOP_ms = 1_000;
const REPORT_EVERY_ms = 5_000;

/** Shows a progress message to the operator. */
export type Notify = (message: string) => void;

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has exited for any reason. */
  readonly exited: Promise<void>;
}

/** What is needed to run a server: the folder that contains `data`, the binaries and the user. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: Binaries;
  /** The user to run the server as. If undefined, the server runs as the user of this process. */
  readonly runAs: RunAs | undefined;
}

export interface ServerOptions {
  readonly args: readonly string[];
  readonly port: number;
}

export const dataOf = ({ folder }: Pick<Cluster, "folder">): string => join(folder, "data");

/**
 * Options for child processes. Child processes do not inherit our environment variables, because these contain secrets.
 */
export const spawnOptions = ({ folder, runAs }: Cluster) => ({
  cwd: folder,
  env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" },
  ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
});

/**
 * Finds this cluster's running server if an earlier process started one. Throws a StartError if it
 * is unclear whether a process is this server. Such a process is never signaled.
 */
export function findServer(cluster: Pick<Cluster, "folder">): Postmaster | undefined {
  const data = dataOf(cluster);
  const file = readPidFile(data);
  if (file === undefined) return undefined;
  const verdict = classify(data, file);
  if (verdict === "uncertain") {
    throw new StartError(
      `Process ${file.pid} seems to run PostgreSQL on ${data}, but its start time or PID namespace differs from ` +
        "postmaster.pid, so Leadport does not stop it. Stop it yourself and start again:" +
        `\n  kill -INT ${file.pid}`,
    );
  }
  if (verdict !== "server") return undefined;
  const isHere = () => classify(data, file) === "server";
  return { pid: file.pid, port: file.port, exited: endOf(isHere) };
}

async function endOf(isHere: () => boolean): Promise<void> {
  while (isHere()) await sleep(50, undefined, { ref: false });
}

/**
 * Starts the server and waits until it accepts connections, which may include crash recovery. Stops it if `end` is
 * aborted in the meantime. Throws a StartError with the server's last errors if it does not start.
 */
export async function startServer(
  cluster: Cluster,
  { args, port }: ServerOptions,
  notify: Notify,
  end?: AbortSignal,
): Promise<Postmaster> {
  // The server's output goes to a file and not to a pipe, because the server outlives a service that is killed.
  const log = join(cluster.folder, "start.log");
  const output = openSync(log, "w", 0o600);
  const child = spawn(
    cluster.binaries.postgres,
    ["-D", dataOf(cluster), "-p", String(port), ...args],
    // Use a separate process group: Ctrl-C must reach only the service, which then stops the server.
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
    throw new StartError(`Cannot run ${cluster.binaries.postgres}. Run \`npm ci\` again.`);
  }
  const server = { pid, port, exited };
  endWithUs(server);
  const state = await awaitState(cluster, server, notify, end);
  if (state === "ready") return server;
  if (state !== "ended") await stopServer(server);
  throw new StartError(`The database did not start: ${lastLogLines(cluster, log)}`);
}

const running = new Set<Postmaster>();

/** Ensures that a server is stopped when this process exits. */
export function endWithUs(server: Postmaster): void {
  running.add(server);
  void server.exited.then(() => running.delete(server));
}

process.on("exit", () => {
  for (const { pid } of running) signal(pid, "SIGINT");
});

/** Sends a signal. Returns false if the process does not exist. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Waits until a server is ready, is stopping, must be stopped, or has exited. There is no timeout
 * for crash recovery, because a new server would have to start the recovery over.
 */
export async function awaitState(
  cluster: Cluster,
  server: Postmaster,
  notify: Notify,
  end?: AbortSignal,
) {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const line = lineEvery(REPORT_EVERY_ms, notify);
  for (; !ended; await sleep(10)) {
    const file = readPidFile(dataOf(cluster));
    if (file?.pid === server.pid && file.status === "ready") return "ready";
    if (file?.pid === server.pid && file.status === "stopping") return "stopping";
    if (end?.aborted === true) return "stopping";
    line(`Waiting for the database in ${cluster.folder}, which is starting or recovering`);
  }
  return "ended";
}

/** Passes on at most one message per period, and none in the first period. */
export function lineEvery(period_ms: number, notify: Notify): Notify {
  let due_ms = performance.now() + period_ms;
  return (message) => {
    if (performance.now() < due_ms) return;
    due_ms += period_ms;
    notify(message);
  };
}

/**
 * Stops the server. If it does not exit in time, kills it. A killed server performs crash recovery when it is started
 * again.
 */
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

/** Finds a free port on 127.0.0.1. With `wanted`, returns that port or throws if it is in use. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export const tailOf = (text: string) => text.trim().split("\n").slice(-4).join(" / ");

/**
 * Returns the last errors since the last start in a log or, if there are none, its last lines. An error is followed by
 * many other lines.
 */
function reasonIn(text: string): string {
  const since = text.slice(Math.max(0, text.lastIndexOf("starting PostgreSQL")));
  const errors = since.split("\n").filter((line) => /\b(?:FATAL|PANIC|ERROR): /.test(line));
  return tailOf(errors.length > 0 ? errors.join("\n") : text);
}

/** Returns why a server ended, as logged both before and after it opened its own log. */
function lastLogLines(cluster: Cluster, startLog: string): string {
  const folder = join(dataOf(cluster), "log");
  const logs = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const weekday = new Date().toUTCString().slice(0, 3);
  const today = logs.find((path) => basename(path).includes(weekday));
  const texts = [startLog, today ?? ""].map((path) => readOrNothing(path).slice(-4_000));
  return `${texts.map(reasonIn).filter(Boolean).join(" / ")} (logs in ${dirname(startLog)})`;
}
