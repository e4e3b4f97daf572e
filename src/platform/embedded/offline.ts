/**
 * Starts a server for maintenance. It runs a cluster that no service is using, listens only on a
 * socket in a private folder, and is stopped when the work is done. It ignores the cluster's
 * preloaded libraries and event triggers.
 */

import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openPool } from "../database/index.ts";
import { availableMemory, settingArguments } from "./postgres-settings.ts";
import { StartError } from "../errors/index.ts";
import { type Cluster, type Notify, startServer, stopServer, SUPERUSER } from "./postmaster.ts";

/** An arbitrary port number, which occurs only in the socket's name. */
const PORT = 5432;

export interface OfflineOptions {
  readonly notify: Notify;
  /** Additional settings, keyed by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface OfflineServer {
  /** Opens a superuser connection to a database of the cluster. It is closed when the server is stopped. */
  readonly connect: (database: string) => Db;
}

/** Runs `work` with a maintenance server. Throws a StartError with the server's own message if it does not start. */
export async function withOfflineServer<T>(
  cluster: Cluster,
  { notify, settings = {} }: OfflineOptions,
  work: (server: OfflineServer) => Promise<T>,
): Promise<T> {
  if (process.platform === "win32")
    throw new StartError("This command is not available on Windows.");
  const folder = mkdtempSync(join(tmpdir(), "leadport-"));
  const connections: Db[] = [];
  try {
    const hbaFile = join(folder, "pg_hba.conf");
    writeFileSync(hbaFile, "local all all trust\n", { mode: 0o600 });
    if (cluster.runAs !== undefined) {
      for (const path of [folder, hbaFile]) chownSync(path, cluster.runAs.uid, cluster.runAs.gid);
    }
    const { args } = settingArguments(
      { memory_bytes: availableMemory(), connections: 5, socketFolder: folder },
      cluster.binaries.version,
    );
    const own = {
      listen_addresses: "",
      hba_file: hbaFile,
      logging_collector: "off",
      archive_mode: "off",
      // With this setting, the server accepts connections only once recovery is complete.
      hot_standby: "off",
      event_triggers: "off",
      shared_preload_libraries: "",
      ...settings,
    };
    const ours = Object.entries(own).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = await startServer(cluster, { args: [...args, ...ours], port: PORT }, notify);
    const connect = (database: string): Db => {
      const db = openPool({
        url: `postgres://${SUPERUSER}@localhost/${database}`,
        address: () => ({ path: join(folder, `.s.PGSQL.${PORT}`) }),
      });
      connections.push(db);
      return db;
    };
    try {
      return await work({ connect });
    } finally {
      await Promise.all(connections.map((db) => db.end({ timeout: 5 })));
      await stopServer(server);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
