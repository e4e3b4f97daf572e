/** Represents a serving process in the first process (node:cluster). */

import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Figures } from "../../platform/metrics/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import { environmentOfServing, type FromServing, type ToServing } from "./process-talk.ts";
import { within } from "../../platform/clock/index.ts";

/** In an installed package, it is JavaScript like this file. */
const MAIN = join(import.meta.dirname, `../../main${extname(import.meta.filename)}`);

/** How long to wait for a process's last message after it exits. */
const LAST_MESSAGE_ms = 500;

export type ServingProcess = ReturnType<typeof startServing>;

/**
 * Starts a serving process. `readMetrics` returns the metrics of all processes, and is called when the process requests
 * them.
 */
export function startServing(readMetrics: () => Promise<string>) {
  // Round-robin scheduling distributes a client's few long-lived connections evenly.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: MAIN, args: ["serve"] });
  const worker = cluster.fork(environmentOfServing());
  const send = (message: ToServing): void => {
    // A process that is exiting receives no more messages.
    if (worker.isConnected()) worker.send(message, () => {});
  };
  const waiting = new Map<number, (figures: Figures) => void>();
  let reason: string | undefined;
  let isListening = false;
  worker.on("message", (message: FromServing) => {
    if (message.kind === "cannot start") reason = message.reason;
    if (message.kind === "figures") waiting.get(message.id)?.(message.figures);
    if (message.kind === "metrics?") {
      const { id } = message;
      void readMetrics().then(
        (text) => send({ kind: "metrics", id, text }),
        (error: Error) => send({ kind: "no metrics", id, reason: error.message }),
      );
    }
  });
  const ended = endOf(worker);
  void closeLastGiven(worker, ended);
  const listens = new Promise<number>((resolve, reject) => {
    worker.once("listening", ({ port }) => {
      isListening = true;
      resolve(port);
    });
    const early = "A serving process ended before it was listening";
    void ended.then((how) => reject(new StartError(reason ?? `${early}: ${how}.`)));
  });
  // Nothing awaits this promise when a process is restarted, so ignore a rejection.
  listens.catch(() => {});
  let lastId = 0;
  return {
    pid: worker.process.pid ?? 0,
    /** The port that the process listens on. Rejects with a StartError if the process exits before that. */
    listens,
    isListening: () => isListening,
    /** Resolves with the reason when the process has exited. */
    ended: ended.then((how) => reason ?? how),
    /** The metrics of the process; undefined if it does not respond within `timeout_ms` or has exited. */
    figures: async (timeout_ms: number): Promise<Figures | undefined> => {
      const id = ++lastId;
      const response = Promise.withResolvers<Figures>();
      waiting.set(id, response.resolve);
      send({ kind: "figures?", id });
      const late = sleep(timeout_ms, undefined, { ref: false });
      const never = ended.then(() => undefined);
      const figures = await Promise.race([response.promise, late, never]);
      waiting.delete(id);
      return figures;
    },
    signal: (name: NodeJS.Signals) => void worker.process.kill(name),
    /** Makes the process stop draining and exit. */
    stop: () => send({ kind: "stop" }),
  };
}

/** Resolves when the process has exited and its last message has arrived, or if it could not be started. */
async function endOf(worker: Worker): Promise<string> {
  const how = await new Promise<string>((resolve) => {
    worker.on("error", (error) => {
      // An error from a running process means that a message could not be sent because the process
      // is exiting.
      if (worker.process.pid === undefined) resolve(error.message);
    });
    worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // Wait with a timeout, because `disconnect` is not emitted if a connection was being passed to the process when it
  // exited.
  if (worker.isConnected()) await within(LAST_MESSAGE_ms, once(worker, "disconnect"));
  return how;
}

/**
 * Closes the connection that was being passed to a process when the process died. node:cluster (Node 24) neither passes
 * it to another process nor closes it, so its client would wait forever. Connections are passed one at a time, so it is
 * always the last one.
 */
async function closeLastGiven({ process: child }: Worker, ended: Promise<unknown>): Promise<void> {
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  let last: { close: () => void } | undefined;
  const remember = (...given: unknown[]): boolean => {
    const [, handle] = given;
    if (typeof handle === "object" && handle !== null && "close" in handle) {
      last = handle as typeof last;
    }
    return send(...given);
  };
  child.send = remember;
  await ended;
  // If the process had accepted the connection, it is already closed here, and this call has no effect.
  last?.close();
}
