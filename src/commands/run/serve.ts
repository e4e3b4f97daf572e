/** `leadport serve`: runs only the API. */

import type { Command } from "../command.ts";
import { PROCESSES, servesForAnother, withProcesses } from "./process-talk.ts";
import { runService } from "./start-and-stop.ts";
import { serveForAnother } from "./serve-for-another.ts";

export const command: Command = {
  options: PROCESSES,
  notes: "With DATABASE_URL, run `leadport migrate` first.",
  examples: ["leadport serve", "PORT=8081 leadport serve --processes 4"],
  handlesSignals: true,
  run: (given) => {
    if (servesForAnother(given.env)) return serveForAnother(given.env);
    return runService(withProcesses(given), {
      open: { kind: "service" },
      api: true,
      work: false,
      announce: ({ config, tls }, port) => [
        `The API is listening on ${config.host} port ${port ?? ""} (${tls === undefined ? "http" : "https"}).`,
      ],
    });
  },
};
