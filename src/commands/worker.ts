/** `leadport worker`: the background work alone. */

import type { Command } from "./command.ts";
import { runParts } from "./run-parts.ts";

export const command: Command = {
  notes: "With DATABASE_URL, run `leadport migrate` first.",
  mindsSignals: true,
  run: ({ env }) =>
    runParts(env, {
      open: { kind: "service" },
      api: false,
      work: true,
      announce: () => ["The background work runs."],
    }),
};
