/** Starts processes of a release, and ends them in the ways of an upgrade. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Release } from "./releases.ts";

export type Env = Readonly<Record<string, string>>;

export interface Process {
  readonly release: Release;
  /** The address of its API; empty for a worker. */
  readonly url: string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<unknown>;
  /** Its log so far, which is shown if something fails. */
  readonly log: () => string;
}

const LOG_MAX = 100_000;
const SIGNAL_EVERY_ms = 500;
const ENDS_WITHIN_ms = 15_000;
const STARTED = /port (\d+)(?=[ .])|running on http:\/\/[^/\s]+:(\d+)|worker is running/;
const running = new Set<ChildProcess>();
process.on("exit", () => signalAll("SIGTERM"));

function spawned({ root }: Release, args: readonly string[], env: Env) {
  const child = spawn(process.execPath, ["bin/leadport", ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let log = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (log = (log + String(chunk)).slice(-LOG_MAX)));
  running.add(child);
  const ended = once(child, "close").finally(() => running.delete(child));
  return { child, ended, out: () => out, log: () => log };
}

/** Runs a command to its end, and shows its notes. Returns what it printed. Throws with its errors if it fails. */
export async function runCommand(
  release: Release,
  args: readonly string[],
  env: Env,
): Promise<string> {
  const { child, ended, out, log } = spawned(release, args, env);
  child.stderr.pipe(process.stderr, { end: false });
  await ended;
  if (child.exitCode === 0) return out();
  throw new Error(`leadport ${args.join(" ")} of ${release.version} failed: ${log()}`);
}

/** Starts a process, and waits until it has announced itself and, if it has an API, is ready. */
export async function startProcess(release: Release, command: string, env: Env): Promise<Process> {
  const { child, ended, out, log } = spawned(release, [command], env);
  while (!STARTED.test(out())) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended;
      throw new Error(`leadport ${command} of ${release.version} ended: ${log()}`);
    }
    await sleep(10);
  }
  const [, port, other = port] = STARTED.exec(out()) ?? [];
  const url = other === undefined ? "" : `http://127.0.0.1:${other}`;
  while (url !== "" && !(await isReady(url))) await sleep(20);
  const signal = (name: NodeJS.Signals): void => void child.kill(name);
  return { release, url, signal, ended, log };
}

/** Whether a process reports that it is ready. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Stops a process and waits for its end. */
export async function stop({ signal, ended }: Process): Promise<void> {
  signal("SIGTERM");
  await ended;
}

/** Stops all processes that are still running. Kills a process that does not end. */
export async function endAll(): Promise<void> {
  const ends = [...running].map((child) => once(child, "close"));
  signalAll("SIGTERM");
  // A second signal ends the time in which a process still serves requests.
  const again = setInterval(() => signalAll("SIGTERM"), SIGNAL_EVERY_ms);
  const killing = setTimeout(() => signalAll("SIGKILL"), ENDS_WITHIN_ms);
  await Promise.all(ends);
  clearInterval(again);
  clearTimeout(killing);
}

function signalAll(name: NodeJS.Signals): void {
  for (const child of running) child.kill(name);
}
