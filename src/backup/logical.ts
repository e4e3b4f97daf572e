/**
 * A logical backup: the rows of every table, read in a consistent snapshot. Any later release of
 * Leadport can restore it into any supported PostgreSQL on any machine.
 */

import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { columns, type Connection, openPool, run, type Tx } from "../platform/database/index.ts";
import type { ServerAddress } from "../platform/pool/index.ts";
import { VERSION } from "../platform/storage/index.ts";
import {
  copyRowsOut,
  type BackupFile,
  type LogicalManifest,
  listSequences,
  listTables,
  type Table,
} from "./contents/index.ts";
import { describeDatabase } from "./describe-database.ts";
import type { BackupOptions } from "./physical.ts";
import { finishTarget, openTarget } from "./target.ts";

export interface LogicalSource {
  readonly url: string;
  readonly address: (() => ServerAddress) | undefined;
  /** DATA_DIR. The backup must not be inside this folder. */
  readonly dataDir: string;
}

/**
 * Takes a backup. `target` must not exist, or must be empty. On failure, throws a StartError with advice and leaves
 * `target` unchanged.
 */
export async function takeLogicalBackup(
  { url, address, dataDir }: LogicalSource,
  target: string,
  { onProgress, signal }: BackupOptions = {},
): Promise<LogicalManifest> {
  const draft = await openTarget(target, { outside: [dataDir], needed_bytes: 0 });
  const settings = { application_name: "leadport backup", statement_timeout: 0 };
  const db = openPool({ url, address, settings });
  try {
    await mkdir(join(draft, "tables"), { mode: 0o700 });
    const manifest = await db.begin("isolation level repeatable read read only", (tx) =>
      copyOut(tx, draft, (done, total) => {
        signal?.throwIfAborted();
        onProgress?.(done, total);
      }),
    );
    await finishTarget(draft, target, manifest);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await db.end({ timeout: 5 });
  }
}

async function copyOut(
  db: Tx,
  draft: string,
  onProgress: (done_bytes: number, total_bytes: number) => void,
): Promise<LogicalManifest> {
  const [begun] = await run<{ at: Date }[]>(db)`select transaction_timestamp() as at`;
  const at = (begun as { readonly at: Date }).at.toISOString();
  const described = await describeDatabase(db);
  const sequences = await listSequences(db);
  const tables: LogicalManifest["tables"] = [];
  const files: BackupFile[] = [];
  const [size] = await run<{ bytes: number }[]>(db)`
    select sum(pg_table_size(oid))::float8 as bytes from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'`;
  let done_bytes = 0;
  const onBytes = (bytes: number): void => {
    done_bytes += bytes;
    onProgress(done_bytes, Math.max(done_bytes, size?.bytes ?? 0));
  };
  for (const table of await listTables(db)) {
    const path = `tables/${table.name}.copy.gz`;
    const copied = await copyTable(db, table, { path: join(draft, path), onBytes });
    const { rows, bytes, sha256 } = copied;
    tables.push({ table: table.name, columns: [...table.columns], rows, path });
    files.push({ path, bytes, sha256 });
  }
  return {
    format: 1,
    kind: "logical",
    release: VERSION,
    ...described,
    started_at: at,
    finished_at: at,
    files,
    tables,
    sequences: [...sequences],
  };
}

interface CopyTarget {
  readonly path: string;
  readonly onBytes: (bytes: number) => void;
}

function copyTable(db: Connection, table: Table, { path, onBytes }: CopyTarget) {
  const file = createWriteStream(path, { mode: 0o600, flags: "wx", flush: true });
  return copyRowsOut(db, copyStatement(table, "to stdout").text, { file, onBytes });
}

/** Returns a COPY statement for all stored columns, in order. */
export function copyStatement(
  { name, columns: names }: Table,
  direction: "to stdout" | "from stdin",
) {
  return { text: `copy ${columns([name]).text} (${columns(names).text}) ${direction}` };
}
