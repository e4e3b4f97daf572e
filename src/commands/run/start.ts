/** `leadport start`: everything, in one process by default; what `npm start` runs. */

import { openDataFolder } from "../../platform/storage/index.ts";
import type { Command } from "../command.ts";
import { type FirstTenant, openFirstTenant } from "../owner-token.ts";
import { PROCESSES, withProcesses } from "./process-talk.ts";
import { runParts } from "./run-parts.ts";
import { welcome } from "../welcome.ts";

export const command: Command = {
  options: PROCESSES,
  notes:
    "Without DATABASE_URL it runs its own PostgreSQL in DATA_DIR (./data). The first start\n" +
    "creates the first tenant and stores its owner's token in DATA_DIR/owner-token. While no\n" +
    "owner can sign in, each start prints a one-time link that opens the console.\n" +
    "With several processes, the first one runs the database and the background work, and the\n" +
    "others serve the API. See docs/operating.md.",
  examples: [
    "leadport start",
    "PORT=8081 DATA_DIR=/srv/leadport leadport start",
    "leadport start --processes auto",
  ],
  mindsSignals: true,
  run: (given) => {
    let first: FirstTenant | undefined;
    return runParts(withProcesses(given), {
      open: { kind: "service", alone: true, migrate: true },
      api: true,
      work: true,
      prepare: async (installation) => {
        openDataFolder(installation.config.dataDir);
        first = await openFirstTenant(installation);
      },
      announce: (installation, port) => welcome(installation, port ?? 0, first),
    });
  },
};
