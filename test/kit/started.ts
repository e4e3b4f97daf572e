/**
 * Processes, servers, connections and folders for tests. Each function registers the cleanup together with the
 * resource, so that a test that fails at any point leaves nothing running. `test/structure/test-files.test.ts` checks
 * that tests start nothing without these functions.
 */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect as connectSocket, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { connect, type Database } from "../../src/platform/database/db.ts";
import type { PoolOptions } from "../../src/platform/pool/index.ts";
import { openSql, testSql, type TestSql } from "./sql.ts";

/** A test or a whole file. Everything started for an owner is stopped when the owner ends. */
export interface Owner {
  readonly after: (stop: () => unknown) => unknown;
}

type Stop = () => unknown;

/** A cleanup that takes longer than this fails the test. The remaining cleanups still run. */
const STOP_MAX_ms = 60_000;

const stopsOf = new WeakMap<Owner, Stop[]>();

/**
 * Calls `stop` when the test ends, whether it passes or fails. Cleanups run in reverse order, and all of them run even
 * if some fail. The test runner's own hooks run in the order of registration and stop at the first failure.
 */
export function atEnd(owner: Owner, stop: Stop): void {
  const known = stopsOf.get(owner);
  if (known !== undefined) {
    known.push(stop);
    return;
  }
  const stops = [stop];
  stopsOf.set(owner, stops);
  owner.after(() => stopAll(stops));
}

async function stopAll(stops: Stop[]): Promise<void> {
  const faults: unknown[] = [];
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    await inTime(stop).catch((fault: unknown) => faults.push(fault));
  }
  if (faults.length > 1) throw new AggregateError(faults, faults.map(String).join("\n"));
  if (faults.length === 1) throw faults[0];
}

async function inTime(stop: Stop): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Not stopped within ${STOP_MAX_ms / 1000} s: ${stop.toString()}`)),
    STOP_MAX_ms,
  );
  try {
    await Promise.race([Promise.resolve().then(stop), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const fileStops: Stop[] = [];
const processStops: Stop[] = [];

/** The running test file. Everything started for it is shared by all of its tests. */
export const file: Owner = { after: (stop) => fileStops.push(stop) };
stopsOf.set(file, fileStops);

/** Stops everything that was started for the running test file. */
export const endFile = (): Promise<void> => stopAll(fileStops);

/** All test files that run in this process. Everything started for them is shared by all of these files. */
export const allFiles: Owner = { after: (stop) => processStops.push(stop) };
stopsOf.set(allFiles, processStops);

/** Stops everything that was started for test files of this process. */
export async function endAllFiles(): Promise<void> {
  await endFile();
  await stopAll(processStops);
}

/** Whether `runFolder` runs the files of this process. It then also ends them. */
let isFolder = false;
/** Makes this file leave the end of the process to `runFolder`. */
export const startFolder = (): void => void (isFolder = true);

// Call `after` while the file is loading. Inside a test, it would apply only to that test. When several suites run one
// after another, the runner already calls it after the first one.
after(() => (isFolder ? undefined : endAllFiles()));

/** Creates a temporary folder and removes it when the test ends. */
export function temporaryFolder(owner: Owner, mode = 0o700): string {
  const path = mkdtempSync(join(tmpdir(), "leadport-test-"));
  atEnd(owner, () => rmSync(path, { recursive: true, force: true }));
  chmodSync(path, mode);
  return path;
}

/** Processes that are still running. If the runner ends this process early, they are asked to exit as well. */
const running = new Map<ChildProcess, (signal: NodeJS.Signals) => void>();
let isWatching = false;

function endWithThisProcess(): void {
  if (isWatching) return;
  isWatching = true;
  process.on("exit", () => {
    for (const signal of running.values()) signal("SIGTERM");
  });
  // Without a handler, a signal would end this process without running the hook above.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => process.exit(1));
  }
}

/** Whether a signal would reach the process, or any process of the group if the id is negative. */
function isReached(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a process (or the process group that it leads) with SIGKILL when the test ends, and waits for it to exit. */
function owned<T extends ChildProcess>(owner: Owner, child: T, isGroup = false): T {
  const ended = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  // A process that could not be started has no process id.
  const { pid } = child;
  if (pid === undefined) return child;
  // The system does not use the id again while the process or any member of its group remains.
  let hasExited = false;
  let isEmpty = false;
  child.once("exit", () => {
    hasExited = true;
    isEmpty = !isGroup || !isReached(-pid);
  });
  const signal = (name: NodeJS.Signals): void => {
    // A process that has the id after the child's exit belongs to another program, and so does its group.
    if (isEmpty || (hasExited && isReached(pid))) return;
    try {
      process.kill(isGroup ? -pid : pid, name);
    } catch {
      // The process has already exited.
    }
  };
  endWithThisProcess();
  running.set(child, signal);
  void ended.then(() => running.delete(child));
  atEnd(owner, async () => {
    signal("SIGKILL");
    await ended;
  });
  return child;
}

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command leads its own process group, which is then killed as a whole. */
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts a command with readable output. */
export const startProcess = (
  owner: Owner,
  [command, ...args]: readonly [string, ...string[]],
  options: ProcessOptions = {},
) =>
  owned(
    owner,
    spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }),
    options.detached,
  );

/** Starts a TypeScript file in a separate process. Returns the process and the first line that it prints. */
export async function startScript(owner: Owner, path: string, ...args: readonly string[]) {
  const child = owned(
    owner,
    spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`${path} ended (${String(code)}) before it was ready`);
  });
  const [printed] = await Promise.race([once(child.stdout, "data"), ended]);
  ended.catch(() => undefined);
  return { child, printed: String(printed).trim() };
}

/** Starts a TypeScript file in a separate process that can send messages. */
export const startMessenger = (owner: Owner, path: string, ...args: readonly string[]) =>
  owned(owner, fork(path, [...args]));

/** Makes a server listen on 127.0.0.1, on a free port unless one is given. Returns the port. */
export async function listening(owner: Owner, server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  atEnd(owner, () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a connection to a port on this machine. An error closes the connection and is otherwise ignored. */
export function openSocket(owner: Owner, port: number | string, host = "127.0.0.1"): Socket {
  const socket = connectSocket(Number(port), host).on("error", () => undefined);
  atEnd(owner, () => socket.destroy());
  return socket;
}

/** Opens sessions on a database. Default: a single session. */
export function openSession(
  owner: Owner,
  url: string,
  options: Omit<PoolOptions, "url"> = {},
): TestSql {
  const sql = openSql({ url, ...options });
  atEnd(owner, () => sql.end({ timeout: 1 }));
  return sql;
}

/** Opens the service's own connection pools for a database. */
export function openPools(owner: Owner, options: Parameters<typeof connect>[0]): TestPools {
  const database = connect(options);
  atEnd(owner, () => database.close({ timeout_s: 1 }));
  const { sql, reads, lists, probe } = database;
  return {
    ...database,
    sql: testSql(sql),
    reads: testSql(reads),
    lists: testSql(lists),
    probe: testSql(probe),
  };
}

/** The service's pools, which tests can also call as template tags. */
export type TestPools = Omit<Database, "sql" | "reads" | "lists" | "probe"> &
  Readonly<Record<"sql" | "reads" | "lists" | "probe", TestSql>>;
