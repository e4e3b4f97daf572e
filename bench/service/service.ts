/** Starts the service in separate processes, as a user would, and opens connections to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection.ts";

const ROOT = join(import.meta.dirname, "../..");
/** On a busy machine, the first start in an empty folder can take minutes. */
const START_WITHIN_ms = 300_000;
const SETTINGS = {
  PORT: "0",
  LOG_LEVEL: "info",
  // With a cold disk cache, the one deep page that is read by page_num takes longer than the default limit for lists.
  LIST_TIMEOUT_MS: "600000",
  // The limit is so high that it is never reached, but requests are still counted, as in production.
  RATE_LIMIT: "1000000",
};

export interface Service {
  readonly url: string;
  /** The id of the service's process, which may be a child of the process that was started. */
  readonly pid: number;
  /** The token of the owner of the tenant `default`. */
  readonly token: string;
  /** The URL of the service's database. */
  readonly databaseUrl: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the service on a data folder. Requests are logged to /dev/null. Another checkout runs with the Node.js version
 * that is installed in it.
 */
export async function startService(dataDir: string, checkout?: string): Promise<Service> {
  const node =
    checkout === undefined ? process.execPath : join(checkout, "node_modules/node/bin/node");
  const child = spawn(node, ["bin/leadport", "start"], {
    cwd: checkout ?? ROOT,
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, ...SETTINGS },
    stdio: ["ignore", "pipe", openSync("/dev/null", "a")],
  });
  const url = await addressOf(child);
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(5);
  const secret = (name: string): string => readFileSync(join(dataDir, name), "utf8").trim();
  return {
    url,
    pid: servingPid(child.pid ?? 0),
    token: secret("owner-token"),
    databaseUrl: secret("database-url"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const isServing = (pid: string): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("src/main.ts");

/** If the current Node version is too old, the service runs as a child process with a newer one. */
function servingPid(started: number): number {
  const children = readFileSync(`/proc/${started}/task/${started}/children`, "utf8");
  const pids = [String(started), ...(children.match(/\d+/g) ?? [])];
  return Number(pids.find(isServing) ?? started);
}

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    child.kill("SIGTERM");
    reject(new Error("The service does not start"));
  }, START_WITHIN_ms);
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += String(chunk);
    // The guard may also run older commits, which print "runs on".
    const url = /Leadport (?:is running|runs) on (\S+)/.exec(out)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`The service exited with ${code}: ${out}`)));
  return promise.finally(() => clearTimeout(timer));
}

export interface Answer {
  readonly body: string;
  /** The path of the next page, if there is one. */
  readonly next: string | undefined;
  readonly took_ms: number;
}

export interface Client {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly close: () => void;
}

/**
 * Returns a client with one persistent connection, which sends one request at a time. It throws if a response is not a
 * success.
 */
export function clientOf({ url, token }: Service, authorization = `Bearer ${token}`): Client {
  const connection = new Connection(url);
  const send = async (method: string, path: string, body?: string): Promise<Answer> => {
    const headers = { authorization, ...(body !== undefined && JSON_BODY) };
    const start_ms = performance.now();
    const response = await connection.send({ method, path, headers, body }, true);
    const took_ms = performance.now() - start_ms;
    if (response.status > 299) throw new Error(`${path}: ${response.status} ${response.body}`);
    const next = /<([^>]+)>; rel="next"/.exec(response.head)?.[1];
    return { body: response.body ?? "", next, took_ms };
  };
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, JSON.stringify(body)),
    close: () => connection.close(),
  };
}

const JSON_BODY = { "content-type": "application/json" };

/**
 * The warm-up time. For its first 4 s, a new process asks the database about each request, so the warm-up takes longer
 * than that.
 */
const JOINING_ms = 5000;

export async function warmUp(service: Service): Promise<void> {
  const client = clientOf(service);
  const begun_ms = performance.now();
  while (performance.now() - begun_ms < JOINING_ms) await client.get("/crm/leads");
  client.close();
}

/** Creates a partner that may look up people and push leads. */
export async function createPartner(
  service: Service,
): Promise<{ readonly id: string; readonly token: string }> {
  const client = clientOf(service);
  const settings = { name: `Bench ${Date.now()}`, allowed_marketing_sources: ["Google"] };
  const partner = await client.post("/crm/admin/partners", settings);
  const { id, access_code } = JSON.parse(partner.body) as { id: string; access_code: string };
  const issued = await client.post("/crm/partner/token", { partner_id: id, access_code });
  client.close();
  return { id, token: (JSON.parse(issued.body) as { access_token: string }).access_token };
}

/** Returns the memory of the service's process without its database: current and peak. */
export function memoryOf({ pid }: Service): { readonly now_MB: number; readonly peak_MB: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read_MB = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now_MB: read_MB("VmRSS"), peak_MB: read_MB("VmHWM") };
}

/** Resets the peak memory to the current value. */
export const forgetPeak = ({ pid }: Service): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");
