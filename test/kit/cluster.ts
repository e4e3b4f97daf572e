/** Data folders that already contain a database, for tests of how the service starts with them. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Embedded,
  type EmbeddedOptions,
  startEmbedded,
  STATE_FOLDER,
} from "../../src/platform/embedded/index.ts";
import { allFiles, atEnd, temporaryFolder, type Owner } from "./started.ts";
import { openSql, type TestSql } from "./sql.ts";

const MEMORY_bytes = 256 * 1024 * 1024;

let template: Promise<string> | undefined;

/** Returns a temporary folder that all users can access. */
export const openFolder = (t: Owner): string => temporaryFolder(t, 0o711);

/** Returns the location of a database that is stored outside of its data folder. The location must never change. */
export const outsidePlace = (dataDir: string): string =>
  join(STATE_FOLDER, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));

/** Returns a data folder with a stopped database that contains the table `kept` with the row `here`. */
export async function filledFolder(t: Owner): Promise<string> {
  template ??= fill();
  const dataDir = join(openFolder(t), "data");
  copyFolder(join(await template, "data"), dataDir);
  return dataDir;
}

/** Copies a folder, preserving owners and modes. */
export const copyFolder = (from: string, to: string): void => {
  execFileSync("cp", ["-a", from, to]);
};

async function fill(): Promise<string> {
  const folder = openFolder(allFiles);
  const { url, stop } = await start(allFiles, join(folder, "data"));
  await ask(url, (sql) => sql.unsafe("create table kept as select 'here' as text"));
  await stop();
  return folder;
}

/** Starts the database in a data folder. It stops when the test ends. Its warnings are added to `told`. */
export async function start(
  t: Owner,
  dataDir: string,
  told: string[] = [],
  options: Pick<EmbeddedOptions, "further"> = {},
): Promise<Embedded> {
  const log = { warn: (message: string) => void told.push(message) };
  const embedded = await startEmbedded({ ...options, dataDir, memory_bytes: MEMORY_bytes, log });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= embedded.stop());
  atEnd(t, stop);
  return { ...embedded, stop };
}

/** Returns the text in the table `kept`. */
export const keptIn = ({ url }: { readonly url: string }): Promise<unknown> =>
  ask(url, async (sql) => (await sql`select text from kept`)[0]?.["text"]);

/** Runs statements on a separate connection. */
export async function ask<T>(url: string, work: (sql: TestSql) => Promise<T>): Promise<T> {
  const sql = openSql({ url });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export interface Recorded {
  readonly installation_id: string;
  readonly system_identifier: string;
  readonly postgres_folder: string;
}

export const recordOf = (dataDir: string): Recorded =>
  JSON.parse(readFileSync(join(dataDir, "installation.json"), "utf8")) as Recorded;
