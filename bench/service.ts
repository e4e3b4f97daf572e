/** Starts the service in separate processes, as a user would, and opens connections to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "..");
const START_WITHIN_ms = 60_000;
/**
 * The benchmarks read a deep page by page_num once. With a cold disk cache, this takes longer than the default time
 * limit for lists.
 */
const SETTINGS = {
  ...{ PORT: "0", LOG_LEVEL: "warn", LIST_TIMEOUT_MS: "600000" },
  // The workloads send more than 6,000 requests per minute.
  RATE_LIMIT: "off",
};

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The number of serving processes; one by default. */
  readonly processes?: number;
  /** Where the service writes its log: to this process's standard error by default, or to a file descriptor. */
  readonly log?: "inherit" | number;
  /** Another checkout to run, with the Node.js version that is installed in it. */
  readonly checkout?: string;
}

export interface Service {
  readonly url: string;
  /** The id of the service's first process, which may be a child of the process that was started. */
  readonly pid: number;
  /** The ids of the first process and any other serving processes. */
  readonly pids: readonly number[];
  /** The token of the owner of the tenant `default`. */
  readonly token: string;
  /** The time from the start until /readyz first returned 200. */
  readonly startedIn_ms: number;
  /** The URL of the service's database. */
  readonly databaseUrl: string;
  readonly stop: () => Promise<void>;
}

/** Starts the service on a filled folder. The given settings override the benchmark's defaults. */
export async function startService(
  dataDir: string,
  { settings = {}, processes = 1, log = "inherit", checkout }: StartOptions = {},
): Promise<Service> {
  const begun = performance.now();
  const node =
    checkout === undefined ? process.execPath : join(checkout, "node_modules/node/bin/node");
  const child = spawn(node, ["bin/leadport", "start"], {
    cwd: checkout ?? ROOT,
    env: {
      PATH: process.env["PATH"] ?? "",
      DATA_DIR: dataDir,
      PROCESSES: String(processes),
      ...SETTINGS,
      ...settings,
    },
    stdio: ["ignore", "pipe", log],
  });
  const url = await addressOf(child);
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(5);
  const startedIn_ms = performance.now() - begun;
  const secret = (name: string): string => readFileSync(join(dataDir, name), "utf8").trim();
  // If the current Node version is too old, the service runs as a child process with a newer one.
  const started = child.pid ?? 0;
  const pid = isOurs(String(started)) ? started : (childrenServing(started)[0] ?? started);
  return {
    url,
    pid,
    pids: [pid, ...childrenServing(pid)],
    token: secret("owner-token"),
    startedIn_ms,
    databaseUrl: settings["DATABASE_URL"] ?? secret("database-url"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Returns the children of a process, excluding its database. */
function childrenServing(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  return children.filter(isOurs).map(Number);
}

const isOurs = (pid: string): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("src/main.ts");

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    child.kill("SIGTERM");
    reject(new Error("It does not start"));
  }, START_WITHIN_ms);
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += String(chunk);
    // The guard may also run older commits, which print "runs on".
    const url = /Leadport (?:is running|runs) on (\S+)/.exec(out)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`It ended (${code}): ${out}`)));
  return promise.finally(() => clearTimeout(timer));
}

export interface Answer {
  readonly body: Buffer;
  /** The path of the next page, if there is one. */
  readonly next: string | undefined;
  readonly took_ms: number;
}

export interface Connection {
  /** Returns the whole response. Throws if the status is not 200. */
  readonly get: (path: string) => Promise<Answer>;
  /** Resolves with the response once its headers have arrived. */
  readonly open: (path: string) => Promise<IncomingMessage>;
  readonly close: () => void;
}

/** One persistent connection. */
export function connectTo({ url, token }: Service): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}` };
  const open = (path: string): Promise<IncomingMessage> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(url + path, { agent, headers }, resolve)
      .on("error", reject)
      .end();
    return promise;
  };
  const get = async (path: string): Promise<Answer> => {
    const begun = performance.now();
    const answer = await open(path);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const took_ms = performance.now() - begun;
    const body = Buffer.concat(chunks);
    if (answer.statusCode !== 200)
      throw new Error(`${path}: ${answer.statusCode} ${body.toString()}`);
    const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers["link"] ?? ""))?.[1];
    return { body, next, took_ms };
  };
  return { get, open, close: () => agent.destroy() };
}

/** Returns the memory of the service's processes without its database: current and peak. */
export function memoryOf({ pids }: Service): { readonly now_MB: number; readonly peak_MB: number } {
  const all = pids.map((pid) => readFileSync(`/proc/${pid}/status`, "utf8"));
  const read_MB = (name: string): number =>
    all.reduce(
      (sum, status) =>
        sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024,
      0,
    );
  return { now_MB: read_MB("VmRSS"), peak_MB: read_MB("VmHWM") };
}

/** Resets the peak memory to the current value. */
export const forgetPeak = ({ pids }: Service): void =>
  pids.forEach((pid) => writeFileSync(`/proc/${pid}/clear_refs`, "5"));

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
