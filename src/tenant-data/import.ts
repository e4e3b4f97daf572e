/**
 * Imports a tenant from a file. Its rows are loaded into a scratch database that has the file's schema version. The
 * scratch database is then migrated to this release and checked. Only after that are the rows copied into this
 * installation. This procedure also works for files from older releases.
 */

import { Transform } from "node:stream";
import { raw } from "sql-template-tag";
import { copyStatement } from "../backup/index.ts";
import { copyRowsIn, type Table, type TenantManifest } from "../backup/contents/index.ts";
import { columns, type Db, openPool, run, transaction } from "../platform/database/index.ts";
import type { ServerAddress } from "../platform/pool/index.ts";
import { migrate, migrationState } from "../platform/migrations/index.ts";
import { messageOf, StartError } from "../platform/errors/index.ts";
import type { TransferKey } from "../platform/secrets/index.ts";
import { arrive, type Arrived, type ImportDeps, mustBeFree } from "./arrive.ts";
import { findFault } from "./check-rows.ts";
import { idColumnOf, idConstant, tenantTables } from "./tables.ts";
import { openTenantFile, type TenantFile, unusable } from "./tenant-file.ts";

/**
 * Runs `work` with an empty database that exists only during that time. `needed_bytes` is the space that the database
 * needs.
 */
export type WithScratch = <T>(
  needed_bytes: number,
  work: (url: string, address: (() => ServerAddress) | undefined) => Promise<T>,
) => Promise<T>;

export interface ImportOptions {
  readonly path: string;
  readonly key: TransferKey;
  /** Tables that are not part of the file. */
  readonly excluded: readonly string[];
  /** The handle of the tenant in this installation. By default, the tenant keeps the handle in the file. */
  readonly handle: string | undefined;
  readonly withScratch: WithScratch;
  readonly onProgress?: ((done_bytes: number, total_bytes: number) => void) | undefined;
}

/** The size of the scratch database, including its indexes, divided by the size of the rows. */
const SCRATCH_FACTOR = 3;

/**
 * Imports a tenant. On failure, throws a StartError that explains the problem, and this installation stays unchanged.
 */
export async function importTenant(deps: ImportDeps, options: ImportOptions): Promise<Arrived> {
  const { path, key, excluded, withScratch, onProgress } = options;
  const file = await openTenantFile(path, key);
  const { manifest } = file;
  const { wanted } = await migrationState(deps.sql);
  if (manifest.schema_version > wanted) {
    throw new StartError(
      `${path} was exported by a newer release of Leadport (${manifest.release}). Upgrade this installation first.`,
    );
  }
  const handle = options.handle ?? manifest.tenant.handle;
  await mustBeFree(deps.sql, { ...manifest.tenant, handle });
  const progress = progressOf(manifest, onProgress);
  return withScratch(SCRATCH_FACTOR * manifest.raw_bytes, async (url, address) => {
    await migrate(url, address, { version: manifest.schema_version });
    const settings = { application_name: "leadport import", statement_timeout: 0 };
    const scratch = openPool({ url, address, settings });
    try {
      await load(scratch, await tenantTables(scratch, excluded), file, { path, onBytes: progress });
      await migrateFurther(path, url, address, { completes: true });
      const tables = await tenantTables(scratch, excluded);
      await check(scratch, path, manifest, { tables, key });
      const { id } = manifest.tenant;
      return await arrive(deps, { scratch, key, tenantId: id, handle, tables, onBytes: progress });
    } finally {
      await scratch.end({ timeout: 5 });
    }
  });
}

/** Every row is copied twice: into the scratch database, and from there into this installation. */
function progressOf({ raw_bytes }: TenantManifest, onProgress: ImportOptions["onProgress"]) {
  let done_bytes = 0;
  return (bytes: number): void => {
    done_bytes += bytes;
    onProgress?.(done_bytes, Math.max(done_bytes, 2 * raw_bytes));
  };
}

/** Loads all rows in one transaction, and verifies every checksum. */
async function load(
  scratch: Db,
  known: readonly Table[],
  { manifest, open }: TenantFile,
  { path, onBytes }: { readonly path: string; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  refuseOtherTables(path, manifest, known);
  const files = new Map(manifest.files.map((one) => [one.path, one]));
  const stored = new Map(manifest.tables.map((one) => [one.table, one]));
  let left_bytes = manifest.raw_bytes;
  const through = (): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left_bytes -= chunk.length;
        onBytes(chunk.length);
        if (left_bytes >= 0) done(null, chunk);
        else done(unusable(path, "its rows are larger than the manifest states"));
      },
    });
  await transaction(scratch, async (tx) => {
    for (const { name } of known) {
      await run(tx)`
        alter table ${columns([name])} alter column ${raw(idColumnOf(name))}
          set default ${idConstant(manifest.tenant.id)}`;
      const { columns: names = [], path: part = "" } = stored.get(name) ?? {};
      const statement = copyStatement({ name, columns: names }, "from stdin").text;
      const options = { file: open(part), onBytes: () => undefined, through: through() };
      const copied = await copyRowsIn(tx, statement, options).catch((error: unknown) => {
        if (error instanceof StartError) throw error;
        throw unusable(path, `${part}: ${messageOf(error)}`, error);
      });
      if (copied.sha256 === files.get(part)?.sha256) continue;
      throw unusable(path, `${part} does not have the checksum in the manifest`);
    }
  });
}

/** Throws unless the tables in the file are exactly those of its schema version, without unknown columns. */
function refuseOtherTables(
  path: string,
  { tables }: TenantManifest,
  known: readonly Table[],
): void {
  for (const { table, columns: names } of tables) {
    const schema = known.find(({ name }) => name === table);
    if (schema === undefined) throw unusable(path, `it has an unknown table "${table}"`);
    const odd = names.find((name) => !schema.columns.includes(name));
    if (odd !== undefined) throw unusable(path, `the table "${table}" has a column "${odd}"`);
  }
  const missing = known.find(({ name }) => !tables.some(({ table }) => table === name));
  if (missing !== undefined) throw unusable(path, `the table "${missing.name}" is missing`);
}

/**
 * Migrates the scratch database to this release. A migration may fail if the file contains rows that no release would
 * have written.
 */
const migrateFurther = async (path: string, ...to: Parameters<typeof migrate>): Promise<void> => {
  try {
    await migrate(...to);
  } catch (error) {
    throw unusable(path, messageOf(error), error);
  }
};

async function check(
  scratch: Db,
  path: string,
  manifest: TenantManifest,
  { tables, key }: { readonly tables: readonly Table[]; readonly key: TransferKey },
): Promise<void> {
  // The statement fails if a JSON column contains text that PostgreSQL cannot read as JSON, such as an escaped null
  // character.
  const fault = await findFault(scratch, manifest, tables, key.sealer).catch((error: unknown) =>
    messageOf(error),
  );
  if (fault !== undefined) throw unusable(path, fault);
}
