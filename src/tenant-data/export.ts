/** Exports a tenant as a stream. The rows of all tables come from one consistent snapshot. */

import type { Writable } from "node:stream";
import type { TenantId } from "../audit/index.ts";
import { describeDatabase } from "../backup/index.ts";
import { copyRowsOut, type TenantManifest } from "../backup/contents/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { createResealing, type Sealer, type TransferKey } from "../platform/secrets/index.ts";
import { VERSION } from "../platform/storage/index.ts";
import { resealing } from "./sealed-values.ts";
import { copyOut, tenantTables } from "./tables.ts";
import { partOf, writeTenantFile } from "./tenant-file.ts";

export interface ExportOptions {
  readonly tenantId: TenantId;
  /** Tables that are not part of the file. */
  readonly excluded: readonly string[];
  /** Decrypts the values that this installation has sealed. */
  readonly sealer: Sealer;
  /** The key with which these values are sealed in the file. */
  readonly key: TransferKey;
  readonly onProgress?: ((table: string, bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a tenant to a file. The tenant must exist. `single` is a dedicated connection for COPY. Returns the manifest.
 */
export const exportTenant = (
  single: Db,
  options: ExportOptions,
  sink: Writable,
): Promise<TenantManifest> =>
  single.begin("isolation level repeatable read read only", (tx) => writeAll(tx, options, sink));

async function writeAll(db: Tx, options: ExportOptions, sink: Writable): Promise<TenantManifest> {
  const { tenantId, excluded, sealer, key, onProgress, signal } = options;
  const [tenant] = await run<{ id: string; handle: string; name: string; at: Date }[]>(db)`
    select id, handle, name, transaction_timestamp() as at from tenants where id = ${tenantId}`;
  if (tenant === undefined) throw new Error("The tenant does not exist");
  const { at, ...identity } = tenant;
  const described = await describeDatabase(db);
  const file = writeTenantFile(sink, key);
  const reseal = createResealing(sealer, key.sealer, tenantId);
  const tables: TenantManifest["tables"] = [];
  const files: TenantManifest["files"] = [];
  let raw_bytes = 0;
  for (const table of await tenantTables(db, excluded)) {
    signal?.throwIfAborted();
    const path = partOf(table.name);
    const copied = await file.add(path, (part) =>
      copyRowsOut(db, copyOut(table, tenantId), {
        file: part,
        onBytes: (bytes) => onProgress?.(table.name, bytes),
        through: resealing(table, reseal),
      }),
    );
    const { rows, bytes, sha256 } = copied;
    raw_bytes += copied.raw_bytes;
    tables.push({ table: table.name, columns: [...table.columns], rows, path });
    files.push({ path, bytes, sha256 });
  }
  const taken = at.toISOString();
  const manifest: TenantManifest = {
    format: 1,
    kind: "tenant",
    release: VERSION,
    ...described,
    key_fingerprints: [key.fingerprint],
    started_at: taken,
    finished_at: taken,
    tenant: identity,
    files,
    tables,
    raw_bytes,
  };
  await file.finish(manifest);
  return manifest;
}
