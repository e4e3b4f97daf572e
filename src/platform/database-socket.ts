/** Where the files of our own database are, and the socket beside them by which the service speaks to it. */

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { readSecret } from "./data-folder.ts";

/** A note of where the cluster is, where that is not below the data folder. */
export const noteIn = (dataDir: string): string => join(dataDir, "postgres-folder");
export const below = (dataDir: string): string => join(dataDir, "postgres");

const clusterFolder = (dataDir: string): string => readSecret(noteIn(dataDir)) ?? below(dataDir);

/** A socket's path has at most 107 bytes, on some systems 103. */
const PATH_MAX_bytes = 103;
const socketIn = (folder: string, port: string): string => join(folder, `.s.PGSQL.${port}`);

/** The folder for the socket of a cluster in this one; none where the path would be too long. */
export const socketFolderOf = (folder: string): string =>
  process.platform === "win32" || Buffer.byteLength(socketIn(folder, "65535")) > PATH_MAX_bytes
    ? ""
    : folder;

/** The socket of a data folder's server at this address, where there is one that this user may use. */
export function socketBeside(dataDir: string, url: string): string | undefined {
  const path = socketIn(clusterFolder(dataDir), new URL(url).port);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return path;
  } catch {
    return undefined;
  }
}
