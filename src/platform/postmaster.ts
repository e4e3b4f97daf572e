/**
 * One PostgreSQL server as processes: making its cluster, starting it, finding the one that outlived
 * a killed service, waiting for it and stopping it.
 */

import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { existsSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./data-folder.ts";
import type { Binaries } from "./postgres-binaries.ts";
import type { RunAs } from "./run-as.ts";
import { StartError } from "./start-error.ts";

export const SUPERUSER = "leadport";

/** How long recovery after a crash may take before the start gives up. */
const READY_WITHIN_MS = 10 * 60_000;
/**
 * A fast shutdown ends within this unless the disk is very slow; then it is cut, safely (D11.5).
 */
const FAST_STOP_MS = 3_000;

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Settles when the process is gone, however that came. */
  readonly exited: Promise<void>;
}

/** What it takes to run a server: the folder that holds `data`, the programs, and as whom. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
}

export const dataOf = ({ folder }: Cluster): string => join(folder, "data");

/** The user's id where it is not ours, and nothing of our environment: it holds secrets. */
const spawnOptions = ({ folder, runAs }: Cluster) => ({
  cwd: folder,
  env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" },
  ...(runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid }),
});

/**
 * Makes a cluster where there is none. Killed half-way, it leaves none; the next call begins anew.
 */
export async function makeCluster(cluster: Cluster, passwordFile: string): Promise<void> {
  for (const name of readdirSync(cluster.folder)) {
    if (name.startsWith("data.")) rmSync(join(cluster.folder, name), { recursive: true });
  }
  const draft = join(cluster.folder, `data.${process.pid}`);
  const args = [
    ...["--pgdata", draft, "--username", SUPERUSER, "--pwfile", passwordFile],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"],
    // By code point and the same on every machine (D5.5), with Unicode's rules for letters.
    ...["--locale-provider=builtin", "--locale=C.UTF-8", "--lc-messages=C"],
  ];
  const output = await new Promise<string | undefined>((resolve, reject) => {
    const child = spawn(cluster.binaries.initdb, args, spawnOptions(cluster));
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.stderr.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0 ? undefined : text));
  });
  if (output !== undefined) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartError(`The database cannot be made in ${cluster.folder}: ${tailOf(output)}`);
  }
  renameSync(draft, dataOf(cluster));
}

/** Throws a StartError where the cluster is of another major version than the programs. */
export function mustBeOurVersion(cluster: Cluster): void {
  const found = readFileSync(join(dataOf(cluster), "PG_VERSION"), "utf8").trim();
  const ours = cluster.binaries.version.split(".")[0];
  if (found === ours) return;
  throw new StartError(
    `The database in ${dataOf(cluster)} is of PostgreSQL ${found}, this program brings ${ours}. ` +
      "Upgrade it with pg_upgrade, or start the earlier program and export.",
  );
}

/** postmaster.pid, which PostgreSQL keeps; undefined where there is none. */
function readPidFile(data: string) {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const [pid, , , port] = lines.map(Number);
    return { pid: pid ?? 0, port: port ?? 0, status: lines[7]?.trim() ?? "" };
  } catch {
    return undefined;
  }
}

/**
 * Whether a process is the server of this cluster. A pid alone says little: in a container the next
 * start gives out the same small numbers, and a dead child that nobody waits for keeps its own.
 */
function isServerOf(data: string, pid: number): boolean {
  try {
    if (process.platform === "linux")
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    const command = execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" });
    return command.includes(data);
  } catch {
    return false;
  }
}

/** The server that runs on this cluster, started by a process that is no more. */
export function findServer(cluster: Cluster): Postmaster | undefined {
  const data = dataOf(cluster);
  const found = readPidFile(data);
  if (found === undefined) return undefined;
  if (isServerOf(data, found.pid)) {
    return { pid: found.pid, port: found.port, exited: goneOf(data, found.pid) };
  }
  // Another process has the pid now, and PostgreSQL would take it for a server and refuse to start.
  if (isAlive(found.pid)) rmSync(join(data, "postmaster.pid"), { force: true });
  return undefined;
}

async function goneOf(data: string, pid: number): Promise<void> {
  while (isServerOf(data, pid)) await sleep(100, undefined, { ref: false });
}

/** Starts the server and waits until it answers, recovery from a crash included. */
export async function startServer(
  cluster: Cluster,
  args: readonly string[],
  port: number,
): Promise<Postmaster> {
  // A file, not a pipe: the server outlives a service that is killed.
  const log = join(cluster.folder, "start.log");
  const output = openSync(log, "w", 0o600);
  const child = spawn(
    cluster.binaries.postgres,
    ["-D", dataOf(cluster), "-p", String(port), ...args],
    // A group of its own: Ctrl-C is for the service, which stops the server when it is done with
    // it.
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
  if (await becomesReady(cluster, server)) return server;
  throw new StartError(`The database does not start: ${lastWords(cluster, log)}`);
}

const running = new Set<Postmaster>();

/** Sees to it that a server ends with this process, even where nothing has stopped it by then. */
export function endWithUs(server: Postmaster): void {
  running.add(server);
  void server.exited.then(() => running.delete(server));
}

process.on("exit", () => {
  for (const { pid } of running) signal(pid, "SIGINT");
});

/** False where the process is gone. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** False when the server ended instead. Throws a StartError after READY_WITHIN_MS. */
export async function becomesReady(cluster: Cluster, server: Postmaster): Promise<boolean> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  for (const until = performance.now() + READY_WITHIN_MS; !ended; await sleep(10)) {
    const found = readPidFile(dataOf(cluster));
    if (found?.pid === server.pid && found.status === "ready") return true;
    if (performance.now() > until) {
      throw new StartError(`The database in ${cluster.folder} does not get ready (see its log).`);
    }
  }
  return false;
}

/**
 * Ends the server: what is committed stays, what is not is undone at the latest by the next start.
 */
export async function stopServer(server: Postmaster): Promise<void> {
  for (const [name, patience_ms] of [
    ["SIGINT", FAST_STOP_MS],
    ["SIGQUIT", 1_000],
    ["SIGKILL", 1_000],
  ] as const) {
    if (!signal(server.pid, name)) return;
    const timer = new AbortController();
    const late = sleep(patience_ms, true, { signal: timer.signal }).catch(() => false);
    const gone = server.exited.then(() => false);
    const isLate = await Promise.race([gone, late]);
    timer.abort();
    if (!isLate) return;
  }
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

const tailOf = (text: string) => text.trim().split("\n").slice(-4).join(" / ");

/** Why a server did not start: its last lines, from before and after it opened its own log. */
function lastWords(cluster: Cluster, startLog: string): string {
  const folder = join(dataOf(cluster), "log");
  const logs = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const today = logs.find((path) => basename(path).includes(weekday()));
  const texts = [startLog, today].map((path) => (path === undefined ? "" : readEnd(path)));
  return `${texts.map(tailOf).filter(Boolean).join(" / ")} (logs in ${dirname(startLog)})`;
}

const weekday = () => new Date().toUTCString().slice(0, 3);

function readEnd(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(-4_000);
  } catch {
    return "";
  }
}
