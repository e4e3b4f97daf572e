/** `leadport start`: runs everything, by default in one process. `npm start` runs this command. */

import { openDataFolder } from "../../platform/storage/index.ts";
import type { Command } from "../command.ts";
import { type FirstTenant, openFirstTenant } from "../owner-token.ts";
import { PROCESSES, withProcesses } from "./process-talk.ts";
import { runService } from "./start-and-stop.ts";
import { welcome } from "../welcome.ts";

export const command: Command = {
  options: PROCESSES,
  notes:
    "Without DATABASE_URL, runs an embedded PostgreSQL in DATA_DIR (./data). The first start creates\n" +
    "the first tenant and stores its owner's token in DATA_DIR/owner-token. Until an owner can\n" +
    "sign in, each start prints a one-time link to the console.\n" +
    "With several processes, the first one runs the database and the background work, and the\n" +
    "others serve the API. See docs/operating.md.",
  examples: [
    "leadport start",
    "PORT=8081 DATA_DIR=/srv/leadport leadport start",
    "leadport start --processes auto",
  ],
  handlesSignals: true,
  run: (given) => startService(withProcesses(given)),
};

/** Runs everything until a stop is requested. Tests set `partnerAllow` (see `OpenOptions`). */
export function startService(
  env: NodeJS.ProcessEnv,
  partnerAllow: readonly string[] = [],
): Promise<void> {
  let first: FirstTenant | undefined;
  return runService(env, {
    open: { kind: "service", alone: true, migrate: true, partnerAllow },
    api: true,
    work: true,
    prepare: async (installation) => {
      openDataFolder(installation.config.dataDir);
      first = await openFirstTenant(installation);
    },
    announce: (installation, port) => welcome(installation, port ?? 0, first),
  });
}
