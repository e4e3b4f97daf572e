/** `leadport migrate`: migrates the database to the schema of this version, before `serve` and `worker`. */

import { loadConfig } from "../settings/index.ts";
import { attachEmbedded } from "../platform/embedded/index.ts";
import { asStartError, untilStarted } from "./database-refusal.ts";
import { migrate } from "../platform/migrations/index.ts";
import type { Command } from "./command.ts";
import { archiving } from "./installation.ts";
import { JSON_OPTION, printResult } from "./output.ts";

export const command: Command = {
  options: JSON_OPTION,
  notes:
    "Can run concurrently, and while processes of the previous release are running. If a migration\n" +
    "fails, the previous release can still serve the database.",
  examples: [
    "leadport migrate",
    "DATABASE_URL=postgres://leadport@db.example.com/leadport leadport migrate",
  ],
  run: async ({ values, env, output }) => {
    const config = loadConfig(env);
    const { databaseUrl, dataDir } = config;
    const embedded =
      databaseUrl === undefined
        ? await attachEmbedded({ dataDir, further: archiving(config) })
        : undefined;
    try {
      if (databaseUrl !== undefined) await untilStarted(databaseUrl, output.error);
      const { from, to } = await migrate(databaseUrl ?? embedded?.url ?? "", embedded?.address, {
        note: output.error,
      });
      const text = `The database is at version ${to}${from === to ? "" : ` (it was at ${from})`}.`;
      printResult({ values, output }, { from, to }, text);
    } catch (error) {
      throw asStartError(error);
    } finally {
      await embedded?.stop();
    }
  },
};
