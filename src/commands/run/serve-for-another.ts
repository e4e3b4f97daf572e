/** A process that serves for the first one, on its port, and ends with it at once. */

import type { SharedMetrics } from "../../platform/metrics/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import type { FromServing, ToServing } from "./process-talk.ts";
import { runParts } from "./run-parts.ts";

/** Settles when it is said; a first process that is gone need not hear it. */
const say = (message: FromServing): Promise<void> =>
  new Promise((resolve) => {
    if (process.send?.(message, undefined, undefined, () => resolve()) === undefined) resolve();
  });

export async function serveForAnother(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await runParts(env, {
      open: { kind: "service", joins: true },
      api: true,
      work: false,
      metrics: sharedMetrics(),
      announce: () => [],
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    await say({ kind: "cannot start", reason: error.message });
    process.exit(1);
  }
}

/** The first process adds up; whoever is asked for metrics asks it. */
function sharedMetrics(): SharedMetrics {
  const asked = new Map<number, PromiseWithResolvers<string>>();
  let lastId = 0;
  return {
    share: (own) => {
      process.on("message", (message: ToServing) => {
        if (message.kind === "stop") return;
        const { kind, id } = message;
        if (kind === "figures?") {
          // Without an answer what was told last is told.
          const answer = own().then((figures) => say({ kind: "figures", id, figures }));
          return void answer.catch(() => {});
        }
        if (kind === "metrics") asked.get(id)?.resolve(message.text);
        if (kind === "no metrics") asked.get(id)?.reject(new Error(message.reason));
        asked.delete(id);
      });
    },
    ofAll: () => {
      const id = ++lastId;
      const answer = Promise.withResolvers<string>();
      asked.set(id, answer);
      void say({ kind: "metrics?", id });
      return answer.promise;
    },
  };
}
