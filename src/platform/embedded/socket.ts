/** The socket next to our own database, through which the service speaks to it in half the time of TCP. */

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { clusterFolder } from "./cluster-place.ts";

/** A socket's path has at most 107 bytes, on some systems 103. */
const PATH_MAX_bytes = 103;
const socketIn = (folder: string, port: string): string => join(folder, `.s.PGSQL.${port}`);

/** The folder for the socket of a cluster in this one; empty if the path would be too long. */
export const socketFolderOf = (folder: string): string =>
  process.platform === "win32" || Buffer.byteLength(socketIn(folder, "65535")) > PATH_MAX_bytes
    ? ""
    : folder;

/** The socket of a data folder's server at this address, if there is one that this user may use. */
export function socketBeside(dataDir: string, url: string): string | undefined {
  const path = socketIn(clusterFolder(dataDir), new URL(url).port);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return path;
  } catch {
    return undefined;
  }
}
