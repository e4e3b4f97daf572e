/** When and how a service ends: on a signal, or with the process that started it. */

import { readFileSync } from "node:fs";
import { servesForAnother, type ToServing } from "./process-talk.ts";

const PARENT_CHECK_MS = 500;

export interface AskedToStop {
  /** Settles with the reason. */
  readonly asked: Promise<string>;
  /**
   * Settles at the second signal, which ends a drain; further ones change nothing. In a process that serves
   * for another, the first process ends the drain: Ctrl-C and service managers signal every process, so
   * that a second signal would say nothing.
   */
  readonly askedAgain: Promise<void>;
}

/**
 * Notices when this process is asked to end: SIGTERM, SIGINT, SIGHUP, or its parent is gone where
 * that is npm or our launcher. npm may be killed without a word, and a shell between the two passes
 * no signal on; nobody would be left who knows of us.
 */
export function askedToStop(env: NodeJS.ProcessEnv): AskedToStop {
  const again = Promise.withResolvers<void>();
  const isServing = servesForAnother(env);
  if (isServing) {
    process.on("message", ({ kind }: ToServing) => {
      if (kind === "stop") again.resolve();
    });
  }
  const asked = new Promise<string>((resolve) => {
    let isAsked = false;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (isAsked && !isServing) again.resolve();
        isAsked = true;
        resolve(signal);
      });
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
  return { asked, askedAgain: again.promise };
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
