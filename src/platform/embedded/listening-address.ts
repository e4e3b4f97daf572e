/** The current address of a data folder's server: TCP, or only the cluster's Unix socket. */

import { join } from "node:path";
import type { ServerAddress } from "../pool/index.ts";
import { clusterFolder } from "./cluster-place.ts";
import { dataOf } from "./postmaster.ts";
import { readPidFile } from "./server-processes.ts";

/** Maximum length of a Unix socket path. Most systems allow 107 bytes, but some only 103. */
const PATH_MAX_bytes = 103;

const socketIn = (folder: string, port: string): string => join(folder, `.s.PGSQL.${port}`);

/** Returns the folder for a cluster's socket, or an empty string on Windows or if its path would be too long. */
export const socketFolderOf = (folder: string): string =>
  process.platform === "win32" || Buffer.byteLength(socketIn(folder, "65535")) > PATH_MAX_bytes
    ? ""
    : folder;

/**
 * Returns the current address of a data folder's server. The server listens on TCP, or only on its Unix socket while
 * another program uses its port (keeper.ts). TCP is preferred, because a Unix socket wakes its reader for every 8 kB.
 * With many connections, reading a page of 50 records would take 50% longer.
 */
export function listeningAddress(dataDir: string, url: string): () => ServerAddress {
  const { hostname: host, port } = new URL(url);
  const folder = clusterFolder(dataDir);
  const tcp = { host, port: Number(port) };
  const socket = { path: socketIn(folder, port) };
  return () => (readPidFile(dataOf({ folder }))?.isSocketOnly === true ? socket : tcp);
}
