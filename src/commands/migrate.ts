/** `leadport migrate`: the database at this program's schema, once, before `serve` and `worker`. */

import { loadConfig } from "../settings/index.ts";
import { attachEmbedded } from "../platform/embedded/index.ts";
import { asStartError, migrate, untilStarted } from "../platform/database/index.ts";
import type { Command } from "./command.ts";

export const command: Command = {
  notes: "Several at once do it once. A migration that fails leaves the database as it was.",
  run: async ({ env }) => {
    const { databaseUrl, dataDir } = loadConfig(env);
    const embedded = databaseUrl === undefined ? await attachEmbedded({ dataDir }) : undefined;
    try {
      if (databaseUrl !== undefined) await untilStarted(databaseUrl, console.error);
      const { from, to } = await migrate(databaseUrl ?? embedded?.url ?? "", embedded?.address);
      console.log(`The database is at version ${to}${from === to ? "" : ` (it was at ${from})`}.`);
    } catch (error) {
      throw asStartError(error);
    } finally {
      await embedded?.stop();
    }
  },
};
