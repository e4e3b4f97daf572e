/** DATA_DIR/installation.json records the database of a data folder. The service starts only with this database. */

import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { readSecret, writeSecret } from "../storage/index.ts";
import { messageOf, StartError } from "../errors/index.ts";

export interface InstallationFile {
  /** A UUID that identifies the installation and never changes. */
  readonly installation_id: string;
  /** PostgreSQL's system identifier of the cluster, in decimal digits. */
  readonly system_identifier: string;
  /** The cluster's folder: relative to the data folder, or absolute if it is elsewhere. */
  readonly postgres_folder: string;
}

export const installationFileOf = (dataDir: string): string => join(dataDir, "installation.json");

/**
 * Reads the file. Returns undefined if the data folder has no installation.json. Throws a StartError if the file is
 * damaged.
 */
export function readInstallationFile(dataDir: string): InstallationFile | undefined {
  const path = installationFileOf(dataDir);
  const text = readSecret(path);
  if (text === undefined) return undefined;
  const { installation_id, system_identifier, postgres_folder } = parsed(text);
  if (
    typeof installation_id === "string" &&
    typeof system_identifier === "string" &&
    typeof postgres_folder === "string"
  ) {
    return { installation_id, system_identifier, postgres_folder };
  }
  throw new StartError(
    `${path} is damaged. Restore it from a backup, or delete it so that the next start adopts the database it finds.`,
  );
}

function parsed(text: string): Partial<Record<keyof InstallationFile, unknown>> {
  try {
    return Object(JSON.parse(text)) as Partial<Record<keyof InstallationFile, unknown>>;
  } catch {
    return {};
  }
}

/** Records that the cluster in `folder` belongs to the data folder. The installation id does not change. */
export function writeInstallationFile(
  dataDir: string,
  folder: string,
  installationId: string = randomUUID(),
): void {
  const file: InstallationFile = {
    installation_id: readInstallationFile(dataDir)?.installation_id ?? installationId,
    system_identifier: systemIdentifierOf(folder),
    postgres_folder: isBelow(dataDir, folder) ? relative(dataDir, folder) : folder,
  };
  writeSecret(installationFileOf(dataDir), JSON.stringify(file, undefined, 2));
}

export const recordedFolder = (dataDir: string, file: InstallationFile): string =>
  resolve(dataDir, file.postgres_folder);

export function isBelow(dataDir: string, folder: string): boolean {
  const path = relative(dataDir, folder);
  return !path.startsWith("..") && !isAbsolute(path);
}

/** Reads the system identifier of the cluster in a folder from its control file, without a running server. */
export function systemIdentifierOf(folder: string): string {
  const path = join(folder, "data/global/pg_control");
  const bytes = Buffer.alloc(8);
  try {
    const file = openSync(path, "r");
    try {
      if (readSync(file, bytes) !== bytes.length) throw new Error("it is too short");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new StartError(
      `Cannot read ${path} (${messageOf(error)}). Restore the database from a backup.`,
      { cause: error },
    );
  }
  const id = endianness() === "LE" ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE();
  return String(id);
}
