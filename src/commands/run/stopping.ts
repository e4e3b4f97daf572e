/** Detects when the service should stop: on a signal, or when its parent process has exited. */

import { readOrNothing } from "../../platform/storage/index.ts";
import { onStopSignal } from "../signals.ts";
import { servesForAnother, type ToServing } from "./process-talk.ts";

const PARENT_CHECK_MS = 500;

/**
 * Detects that this process should stop: on SIGTERM, SIGINT or SIGHUP, or when its parent process exits, provided that
 * the parent is npm or our launcher. npm may be killed without sending a signal, and a shell in between does not
 * forward signals, so the service would keep running unnoticed. `stopRequest` resolves with the reason, and
 * `secondStopRequest` at the second signal, which ends a drain. Further signals have no effect. In serving processes,
 * the first process ends the drain, because Ctrl-C and service managers signal every process.
 */
export function watchStopRequests(env: NodeJS.ProcessEnv) {
  const again = Promise.withResolvers<void>();
  const isServing = servesForAnother(env);
  if (isServing) {
    process.on("message", ({ kind }: ToServing) => {
      if (kind === "stop") again.resolve();
    });
  }
  const stopRequest = new Promise<string>((resolve) => {
    let isStopRequested = false;
    onStopSignal(env, (signal) => {
      if (isStopRequested && !isServing) again.resolve();
      isStopRequested = true;
      resolve(signal);
    });
    if (env["npm_lifecycle_event"] === undefined && env["LEADPORT_LAUNCHER"] === undefined) return;
    const parent = Number(env["LEADPORT_LAUNCHER"] ?? process.ppid);
    const shellsParent = parentOfShell(parent);
    const check = () => {
      if (process.ppid === parent && parentOfShell(parent) === shellsParent) return;
      resolve("the parent process ended");
    };
    setInterval(check, PARENT_CHECK_MS).unref();
  });
  return { stopRequest, secondStopRequest: again.promise };
}

/**
 * Returns the parent of the shell between npm and this process. Returns undefined if there is no shell or if /proc is
 * not available.
 */
function parentOfShell(pid: number): string | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const [, name = "", parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(stat) ?? [];
  return /^(ba|da)?sh$/.test(name) ? parent : undefined;
}
