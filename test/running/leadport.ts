/**
 * The command as a user runs it: bin/leadport in a separate process, with its output and exit code. `printed` runs a
 * command in the process of the test instead.
 */

import { type ChildProcess, execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inspect } from "node:util";
import { eventually, WITHIN_ms } from "../kit/eventually.ts";
import {
  allFiles,
  atEnd,
  openSession,
  startProcess,
  temporaryFolder,
  type Owner,
} from "../kit/started.ts";

export const ROOT = join(import.meta.dirname, "../..");

export const isRoot = process.getuid?.() === 0;
/** The ordinary user to run as, if the tests run as root: `nobody`. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** The path of a Node version older than the program needs, if the machine has one. */
export const oldNode = (() => {
  const { PATH = "" } = process.env;
  for (const place of PATH.split(":").filter((path) => !path.includes("node_modules"))) {
    try {
      const node = join(place, "node");
      const version = execFileSync(node, ["--version"], { encoding: "utf8" });
      if (Number(/^v(\d+)/.exec(version)?.[1]) < 24) return node;
    } catch {
      // No older version is installed.
    }
  }
  return undefined;
})();

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: User | undefined;
  /** The checkout to run. Default: this one. */
  readonly root?: string;
  /** The Node.js executable to run it with. Default: the current one. */
  readonly node?: string;
  /** The program and its first arguments, in place of Node and bin/leadport. */
  readonly through?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** The standard output of the process so far. */
  readonly out: () => string;
  /** The standard error output of the process so far, which is its log. */
  readonly err: () => string;
}

/** Returns a folder that is removed when the test ends, and that a user can write to. */
export function folder(t: Owner, { user, mode = 0o711 }: { user?: User; mode?: number } = {}) {
  const path = temporaryFolder(t, mode);
  if (user !== undefined) chownSync(path, user.uid, user.gid);
  return path;
}

export type Settings = { readonly DATA_DIR: string } & Readonly<Record<string, string>>;

/** Returns settings with a new data folder and a free port. */
export function settings(t: Owner, user?: User): Settings {
  const dataDir = join(folder(t, user === undefined ? {} : { user }), "data");
  return { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" };
}

let template: Promise<string> | undefined;

/**
 * Returns settings with the data folder of a service that was started once and stopped. It is a copy, because a first
 * start takes twice as long as a later one.
 */
export async function installed(t: Owner): Promise<Settings> {
  const env = settings(t);
  execFileSync("cp", ["-a", await (template ??= firstStart()), env.DATA_DIR]);
  return env;
}

/**
 * Returns the data folder of a service that was started and stopped. The first of the test runner's processes that
 * needs the folder creates it, and the others wait for it.
 */
async function firstStart(): Promise<string> {
  const place = process.env["TEST_INSTALLATION"] ?? folder(allFiles);
  const ready = join(place, "data");
  const draft = join(place, "draft");
  const isFirst = mkdirSync(draft, { recursive: true, mode: 0o711 }) !== undefined;
  if (!isFirst) {
    await eventually(() => existsSync(ready), Boolean, START_WITHIN_ms);
    return ready;
  }
  const env = { ...settings(allFiles), DATA_DIR: join(draft, "data") };
  const { pid, ended } = await startLeadport(allFiles, { env });
  kill(pid, "SIGTERM");
  await ended;
  renameSync(env.DATA_DIR, ready);
  return ready;
}

/**
 * Returns the options with which a user runs this checkout: directly, or as a copy if the user
 * cannot access it, for example because it is in root's temporary folder.
 */
export function asUser(t: Owner, user: User | undefined): RunOptions {
  if (user === undefined) return {};
  if (isOpenToAll(ROOT)) return { user };
  const root = join(folder(t), "leadport");
  // Create hard links instead of copying file contents.
  execFileSync("cp", ["-al", ROOT, root]);
  const node = process.execPath.replace(ROOT, root);
  return { user, root, node };
}

/** Whether all users may enter every parent folder of a path. */
function isOpenToAll(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
  }
  return true;
}

/** Starts a command. Anything that it leaves running is stopped when the test ends. */
export function spawnLeadport(t: Owner, args: readonly string[], options: RunOptions = {}) {
  const { env = {}, user, root = ROOT, node = process.execPath } = options;
  const { through = [node, "bin/leadport"] } = options;
  const [program = "", ...first] = through;
  // A killed service leaves its database running.
  atEnd(t, () => endServer(env["DATA_DIR"] ?? ""));
  const child = startProcess(t, [program, ...first, ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    detached: true,
    ...user,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
  return { child, pid: child.pid ?? 0, ended, out: () => out, err: () => err } satisfies Running;
}

/** Runs a command until it exits. */
export const leadport = (t: Owner, args: readonly string[], options: RunOptions = {}) =>
  spawnLeadport(t, args, options).ended;

/**
 * Runs a command line in this process, because a new one takes a second to start. Returns what it printed, except for
 * files that it streams to standard output.
 */
export async function printed(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { runCommandLine } = await import("../../src/command-line.ts");
  let out = "";
  let err = "";
  const output = {
    log: (text: string) => void (out += `${text}\n`),
    error: (text: unknown) => void (err += `${typeof text === "string" ? text : inspect(text)}\n`),
  };
  const code = await runCommandLine(words, env, output);
  return { code, out, err };
}

/** Waits until the service is ready. A probe on a busy machine can time out, so one of them is not enough. */
export const untilReady = (base: string): Promise<Response> =>
  eventually(
    () => fetch(`${base}/readyz`),
    ({ status }) => status === 200,
  );

/** The first start creates a database. On a busy machine, that can take more than a minute. */
export const START_WITHIN_ms = 3 * WITHIN_ms;

/** Starts the service and waits until it prints its address. */
export async function startLeadport(t: Owner, options: RunOptions = {}) {
  const running = spawnLeadport(t, options.through === undefined ? ["start"] : [], options);
  // Earlier commits, which the upgrade tests start, print "runs on".
  const url = /Leadport (?:is running|runs) on (\S+)/;
  let ended: Ended | undefined;
  void running.ended.then((end) => (ended = end));
  await eventually(() => ended ?? url.test(running.out()), Boolean, {
    within_ms: START_WITHIN_ms,
    hint: () => running.err() + running.out(),
  });
  if (ended !== undefined) throw new Error(`It ended (${ended.code}): ${ended.err}${ended.out}`);
  const [, base = ""] = url.exec(running.out()) ?? [];
  return { ...running, base };
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns the pid of a data folder's database, as recorded by PostgreSQL. */
export function serverPid(dataDir: string): number | undefined {
  const text = readText(join(clusterOf(dataDir), "data/postmaster.pid"));
  return text === "" ? undefined : Number(text.split("\n")[0]);
}

/** Returns the location of a data folder's cluster. */
export function clusterOf(dataDir: string): string {
  const { postgres_folder = "postgres" } = JSON.parse(
    readText(join(dataDir, "installation.json")) || "{}",
  ) as { postgres_folder?: string };
  return resolve(dataDir, postgres_folder);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

async function endServer(dataDir: string): Promise<void> {
  const pid = serverPid(dataDir);
  if (pid === undefined) return;
  kill(pid, "SIGQUIT");
  await eventually(() => !isAlive(pid));
}

/** Returns a folder that only its owner may enter. */
export function closedFolder(t: Owner): string {
  const path = join(folder(t), "home");
  mkdirSync(path, { mode: 0o700 });
  return path;
}

export const tokenOf = (dataDir: string): string => readText(join(dataDir, "owner-token"));

/** Connects to the database of a running installation. */
export const databaseOf = (t: Owner, { DATA_DIR }: Settings) =>
  openSession(t, readText(join(DATA_DIR, "database-url")), { max: 2 });
