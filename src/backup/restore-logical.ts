/**
 * Restores a logical backup into an empty database. Migrates the schema to the backup's version, copies the rows in a
 * single transaction, and then migrates the schema to the current version. Until then, the database is marked as
 * incomplete, so that Leadport refuses to start with it if the restore is interrupted.
 */

import { createReadStream } from "node:fs";
import { join } from "node:path";
import {
  columns,
  type Db,
  openPool,
  run,
  transaction,
  type Connection,
  type Tx,
} from "../platform/database/index.ts";
import type { ServerAddress } from "../platform/pool/index.ts";
import { markIncomplete, migrate, mustBeComplete } from "../platform/migrations/index.ts";
import { StartError } from "../platform/errors/index.ts";
import {
  copyRowsIn,
  type BackupFile,
  type LogicalManifest,
  listTables,
  type Table,
} from "./contents/index.ts";
import { copyStatement } from "./logical.ts";

export interface LogicalRestore {
  readonly url: string;
  readonly address: (() => ServerAddress) | undefined;
  readonly onProgress?: ((done_bytes: number, total_bytes: number) => void) | undefined;
  /** Called with the restored database, which has this release's schema. */
  readonly prepare: (db: Db) => Promise<void>;
}

/**
 * Restores a backup. Call `checkTree` first. Throws a StartError if the database is not empty or the backup is damaged.
 */
export async function restoreLogical(
  folder: string,
  manifest: LogicalManifest,
  { url, address, onProgress, prepare }: LogicalRestore,
): Promise<void> {
  const settings = { application_name: "leadport restore", statement_timeout: 0 };
  const db = openPool({ url, address, settings });
  try {
    await mustBeComplete(db);
    await mustBeEmpty(db);
    await migrate(url, address, { version: manifest.schema_version, isRestoring: true });
    await markIncomplete(db, true);
    const total_bytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done_bytes = 0;
    const onBytes = (bytes: number): void => {
      done_bytes += bytes;
      onProgress?.(done_bytes, total_bytes);
    };
    await transaction(db, (tx) => copyIn(tx, folder, manifest, onBytes));
    await migrate(url, address, { isRestoring: true });
    await prepare(db);
    await run(db)`analyze`;
    await markIncomplete(db, false);
  } finally {
    await db.end({ timeout: 5 });
  }
}

async function mustBeEmpty(db: Db): Promise<void> {
  const [table] = await run<{ name: string }[]>(db)`
    select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'p') limit 1`;
  if (table === undefined) return;
  throw new StartError(
    `The database is not empty: it has a table "${table.name}". Create a new database, and set DATABASE_URL to it.`,
  );
}

async function copyIn(
  db: Tx,
  folder: string,
  manifest: LogicalManifest,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const known = await listTables(db);
  const stored = new Map(manifest.tables.map((table) => [table.table, table]));
  const files = new Map(manifest.files.map((file) => [file.path, file]));
  for (const { table } of manifest.tables) {
    if (!known.some(({ name }) => name === table))
      throw unusable(`it has an unknown table "${table}"`);
  }
  const names = known.map(({ name }) => name);
  await run(db)`truncate ${columns(names)} cascade`;
  for (const { name, columns: has } of known) {
    const table = stored.get(name);
    const file = table && files.get(table.path);
    if (table === undefined || file === undefined) throw unusable(`the table "${name}" is missing`);
    const odd = table.columns.find((column) => !has.includes(column));
    if (odd !== undefined) throw unusable(`the table "${name}" has an unknown column "${odd}"`);
    await copyTableIn(db, { name, columns: table.columns }, { folder, file, onBytes });
  }
  for (const { sequence, last_value } of manifest.sequences) {
    if (last_value === null) continue;
    await run(db)`select setval(${sequence}::regclass, ${last_value}::bigint)`;
  }
}

const unusable = (why: string): StartError =>
  new StartError(
    `The backup does not match its schema version: ${why}. It may have been modified, so use another backup.`,
  );

interface CopySource {
  readonly folder: string;
  readonly file: BackupFile;
  readonly onBytes: (bytes: number) => void;
}

async function copyTableIn(db: Connection, table: Table, { folder, file, onBytes }: CopySource) {
  const path = join(folder, file.path);
  const damaged = (cause?: unknown) =>
    new StartError(`${path} is damaged. Use another backup.`, { cause });
  try {
    const { text } = copyStatement(table, "from stdin");
    const { sha256 } = await copyRowsIn(db, text, { file: createReadStream(path), onBytes });
    if (sha256 === file.sha256) return;
  } catch (error) {
    throw damaged(error);
  }
  throw damaged();
}
