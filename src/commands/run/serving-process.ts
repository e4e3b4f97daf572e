/** A process that serves on the port of this one (node:cluster), as the first process sees it. */

import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Figures } from "../../platform/metrics/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import { environmentOfServing, type FromServing, type ToServing } from "./process-talk.ts";
import { within } from "../../platform/clock/index.ts";

const MAIN = join(import.meta.dirname, "../../main.ts");

/** How long what a process said last may be on its way after its end. */
const LAST_WORD_ms = 500;

export type ServingProcess = ReturnType<typeof startServing>;

/** Starts one. `onAsked` is called when it is asked for the metrics of all, and answers it. */
export function startServing(onAsked: () => Promise<string>) {
  // In turn: kept connections, of which a client has few, are spread evenly.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: MAIN, args: ["serve"] });
  const worker = cluster.fork(environmentOfServing());
  const tell = (message: ToServing): void => {
    // One that is ending hears nothing any more.
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
      void onAsked().then(
        (text) => tell({ kind: "metrics", id, text }),
        (error: Error) => tell({ kind: "no metrics", id, reason: error.message }),
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
    const early = "A process that serves ended before it listened";
    void ended.then((how) => reject(new StartError(reason ?? `${early}: ${how}.`)));
  });
  // Of one that is started anew nobody waits for this.
  listens.catch(() => {});
  let lastId = 0;
  return {
    pid: worker.process.pid ?? 0,
    /** The port that it listens on. Throws a StartError if it ends before, with its reason. */
    listens,
    isListening: () => isListening,
    /** How it ended, in words. */
    ended: ended.then((how) => reason ?? how),
    /** What it has counted; undefined if it does not respond within `patience_ms`, or has ended. */
    figures: async (patience_ms: number): Promise<Figures | undefined> => {
      const id = ++lastId;
      const answer = Promise.withResolvers<Figures>();
      waiting.set(id, answer.resolve);
      tell({ kind: "figures?", id });
      const late = sleep(patience_ms, undefined, { ref: false });
      const never = ended.then(() => undefined);
      const figures = await Promise.race([answer.promise, late, never]);
      waiting.delete(id);
      return figures;
    },
    signal: (name: NodeJS.Signals) => void worker.process.kill(name),
    /** Ends its drain. */
    stop: () => tell({ kind: "stop" }),
  };
}

/** Settles when the process is gone and has said its last word, or could not be started at all. */
async function endOf(worker: Worker): Promise<string> {
  const how = await new Promise<string>((resolve) => {
    worker.on("error", (error) => {
      // Of one that runs: something could not be sent to it, as it is about to end.
      if (worker.process.pid === undefined) resolve(error.message);
    });
    worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // Not for long: the event is left out where a connection was on its way.
  if (worker.isConnected()) await within(LAST_WORD_ms, once(worker, "disconnect"));
  return how;
}

/**
 * Closes the connection that was on its way to a process when that died. node:cluster (Node 24) gives
 * it to no other and does not close it, so that its client would wait for ever; a process is given one
 * at a time, so it is the last.
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
  // One that was taken is closed here already, and left alone.
  last?.close();
}
