/**
 * Verifies a backup: checks its checksums, and starts a copy of it. Every table of the copy is read, and every index is
 * compared with its table (https://www.postgresql.org/docs/18/amcheck.html).
 */

import { join } from "node:path";
import { columns, openPool, type Db, run } from "../platform/database/index.ts";
import {
  type Notify,
  scratchCluster,
  withTemporaryCluster,
  withOfflineServer,
} from "../platform/embedded/index.ts";
import { messageOf, StartError } from "../platform/errors/index.ts";
import { createSealer, type MasterKey, unknownOf } from "../platform/secrets/index.ts";
import {
  createPace,
  type LogicalManifest,
  type Manifest,
  type PhysicalManifest,
} from "./contents/index.ts";
import { checkTree, materialize, sizeOf } from "./materialize.ts";
import { restoreLogical } from "./restore-logical.ts";
import { clusterIn, dataDirIn, inScratch } from "./scratch.ts";
import { mustHaveSpace } from "./target.ts";

export interface VerifyOptions {
  /** The folder in which the copy is started. Default: the system's folder for temporary files. */
  readonly scratch: string | undefined;
  /** The master key for opening the sealed values. If undefined, they are not opened. */
  readonly keys: MasterKey | undefined;
  readonly notify: Notify;
  /** The maximum number of bytes to copy per second. Default: 0, no limit. */
  readonly maxRate_bytes?: number | undefined;
  readonly onProgress?: ((done_bytes: number, total_bytes: number) => void) | undefined;
}

export interface Verification {
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly indexes: number;
  /** The number of sealed values that were opened with the master key. Undefined if there was no key. */
  readonly opened: number | undefined;
}

/** Verifies a backup without changing it. Throws a StartError that describes the first problem. */
export async function verifyBackup(
  folder: string,
  manifest: Manifest,
  options: VerifyOptions,
): Promise<Verification> {
  mustOpen(manifest, options.keys);
  await checkTree(folder, manifest);
  if (manifest.kind === "logical") return verifyLogical(folder, manifest, options);
  return verifyPhysical(folder, manifest, options);
}

function mustOpen({ key_fingerprints }: Manifest, keys: MasterKey | undefined): void {
  const missing = keys === undefined ? [] : unknownOf(key_fingerprints, keys);
  if (missing.length === 0) return;
  throw new StartError(
    `This backup needs the master key with the fingerprint ${missing.join(", ")}, but another key is configured. ` +
      "Set MASTER_KEY to the key that the backup needs.",
  );
}

const noChange = async (): Promise<void> => {};

/** Restores a copy into a temporary database. */
async function verifyLogical(
  folder: string,
  manifest: LogicalManifest,
  { scratch, keys, onProgress }: VerifyOptions,
): Promise<Verification> {
  return inScratch({ parent: scratch, name: "verify" }, async (path) => {
    let found: Verification | undefined;
    await withTemporaryCluster(dataDirIn(path), async ({ url, address }) => {
      await restoreLogical(folder, manifest, { url, address, onProgress, prepare: noChange });
      const db = openPool({ url, address });
      try {
        found = await examine(db, keys);
      } finally {
        await db.end({ timeout: 5 });
      }
    });
    for (const { table, rows } of manifest.tables) {
      if (found?.rows[table] === rows) continue;
      throw new StartError(`The table ${table} has ${found?.rows[table]} rows instead of ${rows}.`);
    }
    return found as Verification;
  });
}

const examine = async (db: Db, keys: MasterKey | undefined): Promise<Verification> => ({
  rows: await countRows(db),
  indexes: await checkIndexes(db),
  opened: keys && (await openSealed(db, keys)),
});

async function verifyPhysical(
  folder: string,
  manifest: PhysicalManifest,
  { scratch, keys, notify, onProgress, maxRate_bytes = 0 }: VerifyOptions,
): Promise<Verification> {
  return inScratch({ parent: scratch, name: "verify" }, async (path) => {
    const cluster = scratchCluster(clusterIn(path));
    const total_bytes = sizeOf(manifest);
    await mustHaveSpace(path, total_bytes);
    let done_bytes = 0;
    const onBytes = (bytes: number): void => {
      done_bytes += bytes;
      onProgress?.(done_bytes, total_bytes);
    };
    const pace = createPace(maxRate_bytes);
    const copy = { owner: cluster.runAs, onBytes, pace, isTemporary: true };
    await materialize({ folder, manifest }, join(cluster.folder, "data"), copy);
    return withOfflineServer(cluster, { notify }, (server) =>
      examine(server.connect("leadport"), keys),
    );
  });
}

async function countRows(db: Db): Promise<Record<string, number>> {
  const tables = await run<{ schema: string; name: string }[]>(db)`
    select n.nspname as schema, c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'pgboss') order by 1, 2`;
  const rows: Record<string, number> = {};
  for (const { schema, name } of tables) {
    const [found] = await run<{ count: number }[]>(db)`
      select count(*)::float8 as count from ${columns([`${schema}.${name}`])}`;
    rows[schema === "public" ? name : `${schema}.${name}`] = found?.count ?? 0;
  }
  return rows;
}

/** Checks tables and indexes for consistency. Returns the number of indexes. */
async function checkIndexes(db: Db): Promise<number> {
  await run(db)`create extension if not exists amcheck`;
  const [broken] = await run<{ table: string; msg: string }[]>(db)`
    select c.oid::regclass::text as table, v.msg
      from pg_class c join pg_namespace n on n.oid = c.relnamespace,
           lateral verify_heapam(c.oid) v
     where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'pgboss') limit 1`;
  if (broken !== undefined) {
    throw new StartError(`The table ${broken.table} is damaged in this backup: ${broken.msg}.`);
  }
  try {
    const checked = await run(db)`
      select bt_index_check(i.indexrelid, true)
        from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        join pg_namespace n on n.oid = c.relnamespace
       where a.amname = 'btree' and c.relpersistence = 'p' and c.relkind = 'i' and i.indisvalid
         and n.nspname in ('public', 'pgboss', 'pg_catalog')`;
    return checked.length;
  } catch (error) {
    throw new StartError(`An index is damaged in this backup: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Opens one sealed value of each kind. Throws a StartError if one cannot be opened. */
async function openSealed(db: Db, keys: MasterKey): Promise<number> {
  const sealer = createSealer(keys);
  const values = await run<{ tenant_id: string; place: string; sealed: string }[]>(db)`
    (select tenant_id::text, 'ssn of ' || id as place, internal->>'ssn' as sealed
       from leads where internal->>'ssn' is not null limit 1)
    union all
    (select tenant_id::text, 'ssn of ' || id, internal->>'ssn' from contacts where internal->>'ssn' is not null limit 1)
    union all
    (select tenant_id::text, 'second factor ' || id, totp from people where totp is not null limit 1)
    union all
    (select tenant_id::text, 'event webhook ' || id, sealed from event_webhooks limit 1)
    union all
    (select tenant_id::text, 'setting ' || name, sealed from tenant_settings where sealed is not null limit 1)`;
  for (const { tenant_id, place, sealed } of values) {
    try {
      sealer.open(tenant_id, place, sealed);
    } catch (error) {
      throw new StartError(
        `An encrypted value in this backup cannot be decrypted: ${messageOf(error)}.`,
        {
          cause: error,
        },
      );
    }
  }
  return values.length;
}
