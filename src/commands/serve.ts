/** `leadport serve`: the API alone. */

import type { Command } from "./command.ts";
import { runParts } from "./run-parts.ts";

export const command: Command = {
  notes: "With DATABASE_URL, run `leadport migrate` first.",
  mindsSignals: true,
  run: ({ env }) =>
    runParts(env, {
      open: { kind: "service" },
      api: true,
      work: false,
      announce: ({ config, tls }, port) => [
        `The API listens on ${tls === undefined ? "http" : "https"}, ${config.host} port ${port}.`,
      ],
    }),
};
