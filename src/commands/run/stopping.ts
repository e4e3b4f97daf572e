/** When and how a service ends: on a signal, or with the process that started it. */

import { readOrNothing } from "../../platform/storage/index.ts";
import { servesForAnother, type ToServing } from "./process-talk.ts";

const PARENT_CHECK_MS = 500;

/**
 * Notices when this process is asked to end: SIGTERM, SIGINT, SIGHUP, or its parent is gone where
 * that is npm or our launcher. npm may be killed without a word, and a shell between the two passes
 * no signal on; nobody would be left who knows of us. `asked` settles with the reason, and `askedAgain` at
 * the second signal, which ends a drain; further ones change nothing. In a process that serves for another,
 * the first process ends the drain: Ctrl-C and service managers signal every process.
 */
export function askedToStop(env: NodeJS.ProcessEnv) {
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
    const check = () => {
      if (process.ppid === parent && parentOfShell(parent) === shellsParent) return;
      resolve("the end of the parent process");
    };
    setInterval(check, PARENT_CHECK_MS).unref();
  });
  return { asked, askedAgain: again.promise };
}

/** The parent of a shell between npm and us; undefined if none is there, or none is seen. */
function parentOfShell(pid: number): string | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const [, name = "", parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(stat) ?? [];
  return /^(ba|da)?sh$/.test(name) ? parent : undefined;
}
