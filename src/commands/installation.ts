/** What a command works on. Without DATABASE_URL it is the database of DATA_DIR. */

import { join } from "node:path";
import type { Logger } from "pino";
import { Spool } from "../files/index.ts";
import { type Config, loadConfig } from "../settings/index.ts";
import { epochSeconds, idSource, systemClock } from "../platform/clock/index.ts";
import { type Holder, openDataFolder, readTls, watchDisk } from "../platform/storage/index.ts";
import {
  asStartError,
  BESIDES_MAX,
  READ_CONNECTIONS,
  connect,
  migrate,
  mustBeMigrated,
  untilStarted,
  warnOfSlowSettings,
} from "../platform/database/index.ts";
import {
  attachEmbedded,
  clusterFolder,
  type Embedded,
  isInstalled,
  joinEmbedded,
  startEmbedded,
} from "../platform/embedded/index.ts";
import { StartError } from "../platform/errors/index.ts";
import { createLog } from "../platform/http/index.ts";
import { checkMasterKey, loadMasterKey } from "../platform/secrets/index.ts";
import { createMailer, createOutgoing } from "../platform/outgoing/index.ts";
import { openTracing } from "../platform/tracing/index.ts";

export interface OpenOptions {
  /** What this process is to others on the same data folder. */
  readonly kind: Holder["kind"];
  /** Be the one that runs the folder's database, or end with a message where another does. */
  readonly alone?: boolean;
  /** The process that started this one runs the folder's database. */
  readonly joins?: boolean;
  /** Do not create an installation in an empty folder. */
  readonly mustExist?: boolean;
  /** Migrate a database of DATABASE_URL too; without it, one that is not migrated is refused. */
  readonly migrate?: boolean;
  /** Called before a database is created or migrated: what it throws ends the start. */
  readonly beforeDatabase?: ((config: Config) => Promise<void>) | undefined;
  /** Connections of each pool; the setting where this is not given. */
  readonly connections?: number;
}

/** What a process opens next to its pools: to count requests, to settle changes, to measure and to probe. */
const SINGLE_CONNECTIONS = 6;

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** Runs a command's work on the installation that the environment names, which is only created if `mayCreate`. */
export async function withInstallation(
  env: NodeJS.ProcessEnv,
  work: (installation: Installation) => Promise<void>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<void> {
  const options = { kind: "command", connections: 2, mustExist: !mayCreate } as const;
  const installation = await openInstallation(env, options);
  try {
    await work(installation);
  } finally {
    await installation.close();
  }
}

/** Opens the installation that the environment names. Every failure is a StartError. */
export async function openInstallation(env: NodeJS.ProcessEnv, options: OpenOptions) {
  const config = loadConfig(env);
  const tls = readTls(config);
  const log = createLog(config.logLevel);
  const clock = systemClock();
  if (options.mustExist === true) mustBeInstalled(config);
  if (config.databaseUrl === undefined || options.alone === true) openDataFolder(config.dataDir);
  const embedded = await openEmbedded(config, options, log);
  const url = config.databaseUrl ?? embedded?.url ?? "";
  const { listTimeout_ms } = config;
  const connections = options.connections ?? config.databaseConnections;
  const db = connect({ url, address: embedded?.address, connections, listTimeout_ms });
  const { outgoingAllow: allow, partnerOutgoingAllow: partnerAllow } = config;
  // Where the cluster is, also if another process runs it.
  const folder = embedded && clusterFolder(config.dataDir);
  const disk = await watchDisk({ folder, reserve_bytes: config.diskReserve_bytes, log });
  const outgoing = createOutgoing({ allow, partnerAllow });
  const mailer = createMailer(config, log);
  const tracing = options.kind === "service" ? await openTracing(config, log) : undefined;
  const close = async () => {
    disk.close();
    mailer.close();
    await outgoing.close();
    await Promise.all([tracing?.close(), db.close({ timeout_s: 1 })]);
    await embedded?.stop();
  };
  try {
    if (embedded === undefined) await untilStarted(url, (text) => log.warn(text));
    // Our own database is migrated by whoever starts it; one beside a service already is.
    const isOurs = embedded !== undefined && !embedded.attached;
    if (isOurs || options.migrate === true) await migrate(url, embedded?.address);
    else await mustBeMigrated(db.sql);
    const keys = loadMasterKey(config, config.dataDir);
    await checkMasterKey(db.sql, keys, epochSeconds(clock));
    if (options.kind === "service" && embedded === undefined) await warnOfSlowSettings(db.sql, log);
    return {
      config,
      tls,
      db,
      disk,
      keys,
      clock,
      makeId: idSource(clock),
      log,
      outgoing,
      mailer,
      close,
      /** Undefined unless this is a service whose traces are sent. */
      tracing,
      /** Undefined where DATABASE_URL names the database. */
      embedded,
    };
  } catch (error) {
    await close();
    throw asStartError(error);
  }
}

function mustBeInstalled({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || isInstalled(dataDir)) return;
  throw new StartError(
    `There is no installation in ${dataDir}. ` +
      "Set DATA_DIR to the data folder of one, or create one with leadport start.",
  );
}

async function openEmbedded(
  config: Config,
  { kind, alone = false, joins = false, beforeDatabase }: OpenOptions,
  log: Logger,
): Promise<Embedded | undefined> {
  const { databaseUrl, dataDir, databaseConnections, processes } = config;
  // The second of two starts on one folder reports the first one, which has the port too.
  const takesFolder = databaseUrl === undefined && alone;
  if (!takesFolder) await beforeDatabase?.(config);
  if (databaseUrl !== undefined) return undefined;
  if (joins) return joinEmbedded(dataDir);
  // Three pools each; of several processes each has single connections, too, and so has the first.
  const each = 2 * databaseConnections + BESIDES_MAX + READ_CONNECTIONS;
  const connections = processes === 1 ? each : (processes + 1) * (each + SINGLE_CONNECTIONS);
  const options = { dataDir, kind, connections, log };
  if (!alone) return attachEmbedded(options);
  return startEmbedded({ ...options, beforeDatabase: async () => beforeDatabase?.(config) });
}

/** Where imports store what they have to read twice, and exports what a slow reader has not taken. */
const spoolIn = ({ config, disk, log }: Installation, name: string, max_bytes: number): Spool =>
  new Spool({ folder: join(config.dataDir, name), max_bytes, hasSpace: disk.hasSpace, log });

export const importSpool = (installation: Installation): Spool =>
  spoolIn(installation, "imports", installation.config.importSpoolMax_bytes);

export const exportSpool = (installation: Installation): Spool =>
  spoolIn(installation, "exports", installation.config.exportSpoolMax_bytes);
