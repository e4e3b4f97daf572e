/** Opens the installation that a command works on. Without DATABASE_URL, uses the database in DATA_DIR. */

import { join } from "node:path";
import type { Logger } from "pino";
import {
  archiveSettings,
  makeSpool,
  mustBeOutside,
  type PhysicalSource,
  spoolOf,
} from "../backup/index.ts";
import { Spool } from "../files/spool/index.ts";
import { type Config, loadConfig, removedSettings } from "../settings/index.ts";
import { epochSeconds, systemClock } from "../platform/clock/index.ts";
import { idSource } from "../platform/ids/index.ts";
import { type Holder, openDataFolder, readTls, watchDisk } from "../platform/storage/index.ts";
import { PARALLEL_MAX, READ_CONNECTIONS, connect } from "../platform/database/index.ts";
import { asStartError, untilStarted, warnOfSlowSettings } from "./database-refusal.ts";
import { migrate, mustBeMigrated, registerProcess } from "../platform/migrations/index.ts";
import {
  attachEmbedded,
  type Cluster,
  clusterFolder,
  type Embedded,
  isInstalled,
  joinEmbedded,
  readInstallationFile,
  startEmbedded,
} from "../platform/embedded/index.ts";
import { StartError } from "../platform/errors/index.ts";
import { createLog } from "../platform/http/index.ts";
import { checkMasterKey, loadMasterKey } from "../platform/secrets/index.ts";
import { createMailer, createOutgoing } from "../platform/outgoing/index.ts";
import { openTracing } from "../platform/tracing/index.ts";

export interface OpenOptions {
  /** The kind of process, which is shown to other processes that use the same data folder. */
  readonly kind: Holder["kind"];
  /** Whether this service only does the background work. */
  readonly isWorker?: boolean;
  /** Whether this process must run the folder's database. If so, startup fails if another process runs it. */
  readonly alone?: boolean;
  /** Whether the parent process runs the folder's database. */
  readonly joins?: boolean;
  /** Whether to fail if the folder is empty, instead of creating an installation. */
  readonly mustExist?: boolean;
  /**
   * Whether to migrate the database in DATABASE_URL. If false, a database that has not been migrated cannot be opened.
   */
  readonly migrate?: boolean;
  /** Called before a database is created or migrated. If it throws, startup fails. */
  readonly beforeDatabase?: ((config: Config) => Promise<void>) | undefined;
  /** Connections per pool. Default: the configured number. */
  readonly connections?: number;
  /** Private hosts, addresses and ranges that partners' webhooks may reach. Only tests set this. Default: none. */
  readonly partnerAllow?: readonly string[];
}

/**
 * The number of connections that a process uses in addition to its pools. These connections are used to count requests,
 * find settled changes, collect metrics, and probe the database.
 */
const SINGLE_CONNECTIONS = 6;

/** The maximum total size of the temporary files that a process writes for exports to slow clients: 10 GB. */
const EXPORT_SPOOL_MAX_bytes = 10 * 1024 ** 3;

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** Runs a command's work on the configured installation. Creates it only if `mayCreate` is set. */
export async function withInstallation<T>(
  env: NodeJS.ProcessEnv,
  work: (installation: Installation) => Promise<T>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<T> {
  const options = { kind: "command", connections: 2, mustExist: !mayCreate } as const;
  const installation = await openInstallation(env, options);
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}

/** Opens the configured installation. Throws only StartErrors. */
export async function openInstallation(env: NodeJS.ProcessEnv, options: OpenOptions) {
  const config = loadConfig(env);
  const tls = readTls(config);
  const log = createLog(config.logLevel);
  // Only once, and not in each serving process.
  const isFirst = options.kind === "service" && options.joins !== true;
  for (const warning of isFirst ? removedSettings(env) : []) log.warn(warning);
  const clock = systemClock();
  if (options.mustExist === true) mustBeInstalled(config);
  if (config.databaseUrl === undefined || options.alone === true) openDataFolder(config.dataDir);
  const embedded = await openEmbedded(config, options, log);
  const url = config.databaseUrl ?? embedded?.url ?? "";
  const { listTimeout_ms } = config;
  const connections = options.connections ?? config.databaseConnections;
  const db = connect({ url, address: embedded?.address, connections, listTimeout_ms });
  const { partnerAllow = [] } = options;
  // The folder of the database cluster, even if another process runs the cluster.
  const folder = embedded && clusterFolder(config.dataDir);
  const disk = await watchDisk({ folder, reserve_bytes: config.diskReserve_bytes, log });
  const outgoing = createOutgoing({ allow: config.outgoingAllow, partnerAllow });
  const mailer = createMailer(config, log);
  const tracing = options.kind === "service" ? await openTracing(config, log) : undefined;
  let registered: { close(): Promise<void> } | undefined;
  const close = async () => {
    disk.close();
    mailer.close();
    await registered?.close();
    await outgoing.close();
    await Promise.all([tracing?.close(), db.close({ timeout_s: 1 })]);
    await embedded?.stop();
  };
  try {
    if (embedded === undefined) await untilStarted(url, (text) => log.warn(text));
    // The process that starts the embedded database also migrates it. If a running service has started the database, it
    // is already migrated.
    const isOurs = embedded !== undefined && !embedded.attached;
    if (isOurs || options.migrate === true) {
      await migrate(url, embedded?.address, { note: (text) => log.warn(text) });
    } else await mustBeMigrated(db.sql);
    registered = await registerProcess(
      db,
      options.isWorker === true ? "worker" : options.kind,
      log,
    );
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
      partnerAllow,
      mailer,
      close,
      /** Undefined unless this process is a service with tracing enabled. */
      tracing,
      /** Undefined if DATABASE_URL is set. */
      embedded,
    };
  } catch (error) {
    await close();
    throw asStartError(error);
  }
}

/** Throws a StartError if there is no installation yet. */
export function mustBeInstalled({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || isInstalled(dataDir)) return;
  throw new StartError(
    `There is no installation in ${dataDir}. ` +
      "Set DATA_DIR to the data folder of an installation, or create one with `leadport start`.",
  );
}

async function openEmbedded(
  config: Config,
  { kind, alone = false, joins = false, beforeDatabase }: OpenOptions,
  log: Logger,
): Promise<Embedded | undefined> {
  const { databaseUrl, dataDir, databaseConnections, processes } = config;
  // If another process uses the folder, it also uses the port. Check the folder first, so that the error names the
  // actual cause.
  const takesFolder = databaseUrl === undefined && alone;
  if (!takesFolder) await beforeDatabase?.(config);
  if (databaseUrl !== undefined) return undefined;
  if (joins) return joinEmbedded(dataDir);
  // Every process has three pools. If there are several processes, each of them, including the first, needs additional
  // single connections.
  const each = 2 * databaseConnections + PARALLEL_MAX + READ_CONNECTIONS;
  const connections = processes === 1 ? each : (processes + 1) * (each + SINGLE_CONNECTIONS);
  const options = { dataDir, kind, connections, log, further: archiving(config) };
  if (!alone) return attachEmbedded(options);
  return startEmbedded({ ...options, beforeDatabase: async () => beforeDatabase?.(config) });
}

/**
 * Returns the settings for archiving the write-ahead log of the embedded database. Commands that start the database
 * also need these settings. Otherwise, the archive would have a gap.
 */
export function archiving({ backupDir, dataDir }: Pick<Config, "backupDir" | "dataDir">) {
  if (backupDir === undefined) return undefined;
  mustBeOutside(backupDir, dataDir);
  return async (cluster: Cluster) => {
    const spool = spoolOf(cluster.folder);
    await makeSpool(spool, cluster.runAs);
    return archiveSettings(spool);
  };
}

/** Returns the embedded database as the source of a physical backup. */
export const clusterSource = (
  { url, address }: Embedded,
  { dataDir }: Pick<Config, "dataDir">,
): PhysicalSource => ({
  url,
  address,
  dataDir,
  data: join(clusterFolder(dataDir), "data"),
  installationId: readInstallationFile(dataDir)?.installation_id,
});

/**
 * Temporary storage for two purposes: imported files that must be read twice, and exported data that slow clients have
 * not read yet.
 */
const spoolIn = ({ config, disk, log }: Installation, name: string, max_bytes: number): Spool =>
  new Spool({ folder: join(config.dataDir, name), max_bytes, hasSpace: disk.hasSpace, log });

export const importSpool = (installation: Installation): Spool =>
  spoolIn(installation, "imports", installation.config.importSpoolMax_bytes);

export const exportSpool = (installation: Installation): Spool =>
  spoolIn(installation, "exports", EXPORT_SPOOL_MAX_bytes);
