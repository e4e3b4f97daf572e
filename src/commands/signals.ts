/** Stops commands on SIGTERM, SIGINT (Ctrl-C) and SIGHUP. */

import { codeOf } from "../platform/errors/index.ts";

/** Exit codes by signal, as in a shell. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const SIGNALS = Object.keys(EXIT_CODES) as StopSignal[];

export type StopSignal = keyof typeof EXIT_CODES;

/**
 * Calls `stop` for each signal. The launcher (bin/leadport) forwards its signals as messages. Ctrl-C and service
 * managers signal the launcher as well as this process, so a signal and its message count only once.
 */
export function onStopSignal(env: NodeJS.ProcessEnv, stop: (signal: StopSignal) => void): void {
  let received = 0;
  let forwarded = 0;
  let handled = 0;
  const handle = (signal: StopSignal): void => {
    if (Math.max(received, forwarded) === handled) return;
    handled += 1;
    stop(signal);
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      received += 1;
      handle(signal);
    });
  }
  if (env["LEADPORT_LAUNCHER"] === undefined) return;
  process.on("message", (signal: StopSignal) => {
    forwarded += 1;
    handle(signal);
  });
  process.channel?.unref();
}

/** Whether a user pressed Ctrl-C or Ctrl-D at a question. */
export const isCanceled = (error: unknown): boolean => codeOf(error) === "ABORT_ERR";

let interruption: AbortController | undefined;

let isListening = false;

/**
 * Makes signals end this process with exit(), so that a database started for the command is stopped. A process that runs
 * several commands listens only once.
 */
export function exitOnSignals(env: NodeJS.ProcessEnv): void {
  if (isListening) return;
  isListening = true;
  onStopSignal(env, (signal) => {
    if (interruption?.signal.aborted === false) interruption.abort();
    else process.exit(EXIT_CODES[signal]);
  });
}

/** Runs work that the first signal aborts instead of ending this process. The second signal ends this process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  interruption = new AbortController();
  try {
    return await work(interruption.signal);
  } finally {
    interruption = undefined;
  }
}
