/** Data folders that hold a database already, for tests of what a start does with them. */

import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import postgres from "postgres";
import { type Embedded, startEmbedded } from "../../src/platform/embedded/index.ts";

const MEMORY_bytes = 256 * 1024 * 1024;

let template: Promise<string> | undefined;

after(async () => {
  if (template !== undefined) rmSync(await template, { recursive: true, force: true });
});

/** A folder that every user may enter, and that goes when the test ends. */
export function openFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "leadport-cluster-"));
  chmodSync(path, 0o711);
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A data folder with a stopped database whose table `kept` has the row `here`. */
export async function filledFolder(t: TestContext): Promise<string> {
  template ??= fill();
  const dataDir = join(openFolder(t), "data");
  copyFolder(join(await template, "data"), dataDir);
  return dataDir;
}

/** Copies with owners and modes. */
export const copyFolder = (from: string, to: string): void => {
  execFileSync("cp", ["-a", from, to]);
};

async function fill(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "leadport-cluster-"));
  chmodSync(folder, 0o711);
  const { url, stop } = await startEmbedded({
    dataDir: join(folder, "data"),
    memory_bytes: MEMORY_bytes,
  });
  await ask(url, (sql) => sql.unsafe("create table kept as select 'here' as text"));
  await stop();
  return folder;
}

/** Starts the database of a data folder, and stops it with the test. The messages go to `told`. */
export async function start(
  t: TestContext,
  dataDir: string,
  told: string[] = [],
): Promise<Embedded> {
  const log = { warn: (message: string) => void told.push(message) };
  const embedded = await startEmbedded({ dataDir, memory_bytes: MEMORY_bytes, log });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= embedded.stop());
  t.after(stop);
  return { ...embedded, stop };
}

/** What the table `kept` holds. */
export const keptIn = ({ url }: { readonly url: string }): Promise<unknown> =>
  ask(url, async (sql) => (await sql`select text from kept`)[0]?.["text"]);

/** Runs statements on a connection of their own. */
export async function ask<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
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
