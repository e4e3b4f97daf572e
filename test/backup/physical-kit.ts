/** Embedded databases with automatic backups, and restores of these backups, without the command line. */

import { join } from "node:path";
import type { TestContext } from "node:test";
import type postgres from "postgres";
import {
  findBackup,
  type PhysicalSource,
  restorePhysical,
  type RestoreOptions,
} from "../../src/backup/index.ts";
import type { PhysicalBackup } from "../../src/backup/restore-physical.ts";
import { archiving } from "../../src/commands/installation.ts";
import { migrate } from "../../src/platform/database/index.ts";
import { start } from "../kit/cluster.ts";
import { openSession } from "../kit/started.ts";
import { clusterOf } from "../running/leadport.ts";

export interface Opened {
  readonly sql: postgres.Sql;
  readonly source: PhysicalSource;
  readonly dataDir: string;
  readonly stop: () => Promise<void>;
}

/** Starts the database in a data folder, and creates it if there is none. */
export async function opened(t: TestContext, dataDir: string, backupDir?: string): Promise<Opened> {
  const embedded = await start(t, dataDir, [], { further: archiving({ backupDir, dataDir }) });
  const { url, address } = embedded;
  await migrate(url, address);
  const sql = openSession(t, url);
  const data = join(clusterOf(dataDir), "data");
  return {
    sql,
    source: { url, address, dataDir, data, installationId: undefined },
    dataDir,
    stop: async () => {
      await sql.end({ timeout: 1 });
      await embedded.stop();
    },
  };
}

/** Restores a backup, or the newest one in a folder, into a data folder. */
export const restored = (from: string, dataDir: string, options: Partial<RestoreOptions> = {}) =>
  restorePhysical(findBackup(from, undefined) as PhysicalBackup, {
    dataDir,
    at: undefined,
    notify: () => {},
    prepare: async () => {},
    ...options,
  });
