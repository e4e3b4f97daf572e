/** `leadport worker`: runs only the background work. */

import type { Command } from "../command.ts";
import { runService } from "./start-and-stop.ts";

export const command: Command = {
  notes:
    "With DATABASE_URL, run `leadport migrate` first. WORKER_PORT opens a port with health checks\n" +
    "and metrics.",
  examples: ["leadport worker", "WORKER_PORT=9090 leadport worker"],
  handlesSignals: true,
  run: ({ env }) =>
    runService(env, {
      open: { kind: "service" },
      api: false,
      work: true,
      announce: ({ config }, port) => [
        port === undefined
          ? "The background worker is running."
          : `The background worker is running. Health checks and metrics: ${config.host} port ${port}.`,
      ],
    }),
};
