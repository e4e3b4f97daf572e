/** A process that serves on the port of the first process and exits together with it. */

import type { SharedMetrics } from "../../platform/metrics/index.ts";
import { StartError } from "../../platform/errors/index.ts";
import type { FromServing, ToServing } from "./process-talk.ts";
import { runService } from "./start-and-stop.ts";

/** Sends a message to the first process. Resolves once it is sent, or if the first process has exited. */
const send = (message: FromServing): Promise<void> =>
  new Promise((resolve) => {
    if (process.send?.(message, undefined, undefined, () => resolve()) === undefined) resolve();
  });

export async function serveForAnother(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await runService(env, {
      open: { kind: "service", joins: true },
      api: true,
      work: false,
      metrics: sharedMetrics(),
      announce: () => [],
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    await send({ kind: "cannot start", reason: error.message });
    process.exit(1);
  }
}

/** Only the first process can add up the metrics, so a serving process requests the total from the first process. */
function sharedMetrics(): SharedMetrics {
  const requested = new Map<number, PromiseWithResolvers<string>>();
  let lastId = 0;
  return {
    share: (own) => {
      process.on("message", (message: ToServing) => {
        if (message.kind === "stop") return;
        const { kind, id } = message;
        if (kind === "figures?") {
          // If this fails, the first process uses the previous metrics.
          const response = own().then((figures) => send({ kind: "figures", id, figures }));
          return void response.catch(() => {});
        }
        if (kind === "metrics") requested.get(id)?.resolve(message.text);
        if (kind === "no metrics") requested.get(id)?.reject(new Error(message.reason));
        requested.delete(id);
      });
    },
    ofAll: () => {
      const id = ++lastId;
      const response = Promise.withResolvers<string>();
      requested.set(id, response);
      void send({ kind: "metrics?", id });
      return response.promise;
    },
  };
}
