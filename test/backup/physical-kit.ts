/** Embedded databases with automatic backups, and restores of these backups, without the command line. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { TestContext } from "node:test";
import pino from "pino";
import {
  findBackup,
  type PhysicalSource,
  restorePhysical,
  type RestoreOptions,
  spoolOf,
  startAutomaticBackups,
} from "../../src/backup/index.ts";
import type { AutomaticOptions } from "../../src/backup/automatic.ts";
import type { PhysicalBackup } from "../../src/backup/restore-physical.ts";
import { archiving } from "../../src/commands/installation.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { migrate } from "../../src/platform/migrations/index.ts";
import { start } from "../kit/cluster.ts";
import { atEnd, openSession } from "../kit/started.ts";
import { clusterOf } from "../running/leadport.ts";
import type { TestSql } from "../kit/sql.ts";

export interface Opened {
  readonly sql: TestSql;
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

type BackingUpOptions = Partial<Omit<AutomaticOptions, "settings">> & {
  readonly settings?: Partial<AutomaticOptions["settings"]>;
};

/** Starts automatic backups of a database. They stop when the test ends, or earlier if the test calls `stop`. */
export function backingUp(
  t: TestContext,
  { source, dataDir }: Pick<Opened, "source" | "dataDir">,
  backupDir: string,
  { settings, ...options }: BackingUpOptions = {},
) {
  const logged: string[] = [];
  const backups = startAutomaticBackups({
    source,
    spool: spoolOf(clusterOf(dataDir)),
    settings: {
      backupDir,
      backupTime_min: 0,
      backupKeep: 7,
      backupMaxRate_bytes: 0,
      backupVerify: false,
      operatorEmail: undefined,
      ...settings,
    },
    keys: { all: [randomBytes(32)] },
    clock: systemClock(),
    log: pino({ level: "info" }, { write: (line: string) => void logged.push(line) }),
    mailer: { canSend: false, send: () => Promise.resolve(false), close: () => {} },
    ...options,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= backups.stop());
  atEnd(t, stop);
  return { stop, log: () => logged.join("") };
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

/** Returns the texts in the table `kept` of a database. */
export const textsIn = async ({ sql }: Opened): Promise<unknown[]> =>
  (await sql`select text from kept order by text`).map(({ text }) => text as unknown);
