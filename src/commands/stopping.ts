/** When and how a service ends: on a signal, or with the process that started it. */

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const PARENT_CHECK_MS = 500;

/**
 * Settles when this process is asked to end: SIGTERM, SIGINT, SIGHUP, or its parent is gone where
 * that is npm or our launcher. npm may be killed without a word, and a shell between the two passes
 * no signal on; nobody would be left who knows of us. Further signals are taken and change nothing.
 */
export function askedToStop(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => resolve(signal));
    }
    if (env["npm_lifecycle_event"] === undefined && env["LEADPORT_LAUNCHER"] === undefined) return;
    const parent = Number(env["LEADPORT_LAUNCHER"] ?? process.ppid);
    const shellsParent = parentOfShell(parent);
    const check = setInterval(() => {
      if (process.ppid !== parent || parentOfShell(parent) !== shellsParent) {
        resolve("the end of the parent process");
      }
    }, PARENT_CHECK_MS);
    check.unref();
  });
}

/**
 * The parent of a shell that stands between npm and us; undefined where none does, or none is
 * seen.
 */
function parentOfShell(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(stat) ?? [];
    return /^(ba|da)?sh$/.test(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}

/** Waits for work that ends, but no longer than `limit_ms`. */
export async function within(limit_ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(limit_ms, false, { signal: timer.signal }).catch(() => false);
  const done = work.then(() => true);
  const result = await Promise.race([done, late]);
  timer.abort();
  return result;
}
