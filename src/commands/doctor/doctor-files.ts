/** The part of `leadport doctor` that checks this machine: the data folder, its disk, and the TLS certificate. */

import { X509Certificate } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../settings/index.ts";
import { defaultReserve, readTls, shellWord } from "../../platform/storage/index.ts";
import { clusterFolder } from "../../platform/embedded/index.ts";
import { fault, ok, skipped, unless, warning, type Found } from "./doctor-check.ts";
import { codeOf } from "../../platform/errors/index.ts";

/** Files that only their owner should be able to read. */
const SECRETS = ["master-key", "owner-token", "database-password", "database-url"];
const RECORD = "installation.json";
const OTHERS = 0o077;
const DAY_ms = 86_400_000;
const RENEW_days = 14;
const MB = 1024 ** 2;
const FILES_MIN = 1_000;

export function checkFolder({ dataDir, databaseUrl }: Config): readonly Found[] {
  if (!existsSync(dataDir)) {
    const message = `${dataDir} does not exist.`;
    return databaseUrl === undefined
      ? [fault(message, "Set DATA_DIR, or start the service once to create it.")]
      : [skipped(`${message} It is not needed if DATABASE_URL and MASTER_KEY are set.`)];
  }
  return unless(
    [...unusable(dataDir), ...openSecrets(dataDir)],
    `${dataDir} is writable, and only its owner can read its secrets.`,
  );
}

function unusable(dataDir: string): readonly Found[] {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const code = codeOf(error);
    const remedy = `Run the command as the folder's owner, or run: chmod u+rwx ${shellWord(dataDir)}`;
    return [fault(`This user cannot read and write ${dataDir} (${code}).`, remedy)];
  }
}

function openSecrets(dataDir: string): readonly Found[] {
  return [...SECRETS, RECORD].flatMap((name) => {
    const path = join(dataDir, name);
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) === 0) return [];
    const shown = (mode & 0o777).toString(8);
    const remedy = `chmod 600 ${shellWord(path)}`;
    return [fault(`Other users can open ${path} (mode ${shown}).`, remedy)];
  });
}

export function checkDisk({ dataDir, databaseUrl, diskReserve_bytes }: Config): readonly Found[] {
  if (databaseUrl !== undefined) return [skipped("The database is on another disk or machine.")];
  const folder = clusterFolder(dataDir);
  if (!existsSync(folder)) return [skipped(`${folder} does not exist.`)];
  const { bavail, blocks, bsize, files, ffree } = statfsSync(folder);
  const free_bytes = bavail * bsize;
  const reserve_bytes = diskReserve_bytes ?? defaultReserve(blocks * bsize);
  const free = `${Math.floor(free_bytes / MB)} MB are free on the disk of ${folder}`;
  const reserve = `the reserve is ${Math.ceil(reserve_bytes / MB)} MB`;
  const remedy = "Free or add disk space.";
  if (free_bytes < reserve_bytes) {
    return [fault(`${free}, but ${reserve}. Writes return 503.`, remedy)];
  }
  if (free_bytes < 2 * reserve_bytes) return [warning(`${free}, and ${reserve}.`, remedy)];
  if (files > 0 && ffree < FILES_MIN) {
    return [fault(`The disk of ${folder} has only ${ffree} free inodes.`, "Delete some files.")];
  }
  return ok(`${free}.`);
}

/** Checks the service's TLS certificate. */
export function checkCertificate(config: Config, now_ms: number): readonly Found[] {
  const { tlsCertFile } = config;
  if (tlsCertFile === undefined) return [skipped("TLS_CERT_FILE is not set.")];
  const remedy = "Renew the certificate and restart the service.";
  const end = endOf(tlsCertFile);
  if (end !== undefined && end.getTime() < now_ms) {
    return [fault(`The certificate in ${tlsCertFile} expired on ${end.toISOString()}.`, remedy)];
  }
  // `readTls` throws if the certificate and the key cannot be read or do not match.
  readTls(config);
  if (end !== undefined && end.getTime() < now_ms + RENEW_days * DAY_ms) {
    return [warning(`The certificate in ${tlsCertFile} expires on ${end.toISOString()}.`, remedy)];
  }
  return ok(`The certificate in ${tlsCertFile} is valid until ${end?.toISOString() ?? "?"}.`);
}

function endOf(path: string): Date | undefined {
  try {
    return new Date(new X509Certificate(readFileSync(path)).validTo);
  } catch {
    return undefined;
  }
}
