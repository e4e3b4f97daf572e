/** Opens the configured database for commands that only read. Starts a stopped embedded database meanwhile. */

import { attachEmbedded } from "../platform/embedded/index.ts";
import { type Db, openPool } from "../platform/database/index.ts";
import type { Config } from "../settings/index.ts";
import { archiving } from "./installation.ts";

const STATEMENT_MAX_ms = 60_000;

/**
 * Runs `work` with a connection that cannot write. `name` is shown in PostgreSQL's list of connections. `isRunning` is
 * true if another process runs the embedded database.
 */
export async function readDatabase<T>(
  config: Config,
  name: string,
  work: (db: Db, isRunning: boolean) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = config;
  const embedded =
    databaseUrl === undefined
      ? await attachEmbedded({ dataDir, further: archiving(config) })
      : undefined;
  const db = openPool({
    url: databaseUrl ?? embedded?.url ?? "",
    address: embedded?.address,
    settings: {
      application_name: name,
      default_transaction_read_only: true,
      statement_timeout: STATEMENT_MAX_ms,
    },
  });
  try {
    return await work(db, embedded?.attached === true);
  } finally {
    await db.end({ timeout: 1 });
    await embedded?.stop();
  }
}
