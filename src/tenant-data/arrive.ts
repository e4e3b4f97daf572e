/**
 * Copies a checked tenant from the scratch database into this installation. Uses many short transactions, so that other
 * requests are not delayed. Until the last transaction, the tenant is suspended and scheduled for deletion. No one can
 * therefore see it, and the worker removes it if the import is interrupted.
 */

import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import sql, { raw, type Sql } from "sql-template-tag";
import { FIRST_HANDLE, isHandle } from "../tenants/index.ts";
import { logChange, SERVICE, type TenantId } from "../audit/index.ts";
import { copyStatement } from "../backup/index.ts";
import type { Table } from "../backup/contents/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import {
  assigned,
  columns,
  copyConnection,
  type Db,
  openCopyIn,
  openCopyOut,
  run,
  transaction,
} from "../platform/database/index.ts";
import { isDuplicate } from "../platform/failed-statements/index.ts";
import { messageOf, StartError } from "../platform/errors/index.ts";
import { createResealing, type Sealer, type TransferKey } from "../platform/secrets/index.ts";
import { removeIncompleteImport } from "./remove.ts";
import { type Reseal, resealing } from "./sealed-values.ts";
import { copyOut, idColumnOf, idConstant } from "./tables.ts";

export interface ImportDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
}

export interface Arrived {
  readonly tenantId: TenantId;
  readonly handle: string;
  readonly rows: number;
}

interface Arriving {
  readonly scratch: Db;
  readonly key: TransferKey;
  readonly tenantId: string;
  readonly handle: string;
  readonly tables: readonly Table[];
  readonly onBytes: (bytes: number) => void;
}

/** If an import is interrupted, the worker removes the incomplete tenant this long after the import started. */
const ABANDONED_AFTER_s = 86_400;
/** The total size of the rows in each transaction. Copying them takes about half a second. */
const CHUNK_bytes = 2 * 1024 * 1024;
const NEWLINE = 0x0a;

interface Identity {
  readonly id: string;
  readonly handle: string;
}

/** Throws a StartError if another tenant has the same id or handle. An incomplete import of this tenant is ignored. */
export async function mustBeFree(db: Db, { id, handle }: Identity): Promise<void> {
  if (!isHandle(handle) || handle === FIRST_HANDLE) {
    const why = handle === FIRST_HANDLE ? "is reserved for the first tenant" : "is not valid";
    throw new StartError(`The handle "${handle}" ${why}. Choose another one with --handle.`);
  }
  const rows = await run<{ id: string; handle: string; name: string; isComplete: boolean }[]>(db)`
    select id, handle, name, import_started_ts is null or imported_ts is not null as "isComplete"
      from tenants where id = ${id}::uuid or handle = ${handle}`;
  const same = rows.find((row) => row.id === id);
  if (same?.isComplete === true) {
    throw new StartError(
      `This tenant is already in this installation: "${same.name}" (${same.handle}). ` +
        "Delete it first with leadport tenant delete.",
    );
  }
  const other = rows.find((row) => row.id !== id);
  if (other === undefined) return;
  throw new StartError(
    `The handle "${handle}" is taken by the tenant "${other.name}". Choose another one with --handle.`,
  );
}

export async function arrive(deps: ImportDeps, arriving: Arriving): Promise<Arrived> {
  const { scratch, handle } = arriving;
  const tenantId = arriving.tenantId as TenantId;
  const target = copyConnection(deps.sql);
  try {
    await lockImport(target, tenantId);
    await removeIncompleteImport(target, tenantId);
    await mustBeFree(target, { id: tenantId, handle });
    await refuseTaken(scratch, target);
    await prepare(deps, arriving);
    try {
      const rows = await copyAll(deps, { ...arriving, target });
      await complete(deps, target, tenantId);
      return { tenantId, handle, rows };
    } catch (error) {
      await removeIncompleteImport(target, tenantId);
      throw isDuplicate(error)
        ? new StartError(`The tenant cannot be imported: ${messageOf(error)}.`, {
            cause: error,
          })
        : error;
    }
  } finally {
    await target.end({ timeout: 5 });
  }
}

/** Takes a lock that lasts until the session ends, so that only one process at a time can import a tenant. */
async function lockImport(single: Db, tenantId: TenantId): Promise<void> {
  const [row] = await run<{ isLocked: boolean }[]>(single)`
    select pg_try_advisory_lock(hashtextextended(${`import ${tenantId}`}, 0)) as "isLocked"`;
  if (row?.isLocked === true) return;
  throw new StartError("Another process is importing this tenant. Wait until it has finished.");
}

/**
 * Columns whose values are looked up across all tenants. An imported value must not exist in this installation yet.
 * Otherwise, another tenant's credentials could lead to the imported tenant.
 */
const UNIQUE_ANYWHERE = [
  { table: "partners", column: "id", asText: sql`id`, fromText: sql`v` },
  {
    table: "access_tokens",
    column: "token_hash",
    asText: sql`encode(token_hash, 'hex')`,
    fromText: sql`decode(v, 'hex')`,
  },
  { table: "renames", column: "id", asText: sql`id`, fromText: sql`v` },
] as const;

async function refuseTaken(scratch: Db, target: Db): Promise<void> {
  for (const { table, column, asText, fromText } of UNIQUE_ANYWHERE) {
    const rows = await run<{ text: string }[]>(scratch)`
      select ${asText} as text from ${raw(table)}`;
    const taken = await run(target)`
      select from unnest(${rows.map(({ text }) => text)}::text[]) v
       where exists (select from ${raw(table)} where ${raw(column)} = ${fromText}) limit 1`;
    if (taken.count === 0) continue;
    throw new StartError(
      `The tenant cannot be imported: another tenant of this installation has the same ${column} in ${table}.`,
    );
  }
}

/** Adapts the rows in the scratch database to this installation. */
async function prepare({ clock }: ImportDeps, { scratch, handle }: Arriving): Promise<void> {
  const now_s = epochSeconds(clock);
  const row = {
    handle,
    is_demo: false,
    max_records: null,
    max_bytes: null,
    suspended_ts: null,
    delete_after_ts: now_s + ABANDONED_AFTER_s,
    deletion_started_ts: null,
    import_started_ts: now_s,
    imported_ts: null,
  };
  await run(scratch)`update tenants set ${assigned(row)}`;
  // Disable everything that sends requests.
  await run(scratch)`update event_webhooks set enabled = false, position = 0`;
  await run(scratch)`
    update tenant_settings
       set value = (jsonb_set(value::jsonb, '{enabled}', 'false'))::json
     where value->>'enabled' = 'true'`;
  await run(scratch)`
    update event_replays set finished_ts = ${now_s} where finished_ts is null`;
  await run(scratch)`
    update deliveries set status = 'failed', next_at = null, updated_ts = ${now_s}
     where status = 'pending'`;
  // Invalidate the partner tokens that the other installation issued.
  await run(scratch)`update partners set generation = generation + 1`;
  await run(scratch)`update imports set lease = null, lease_until_ms = null`;
}

interface Copying extends Arriving {
  readonly target: Db;
}

async function copyAll({ sealer }: ImportDeps, copying: Copying): Promise<number> {
  const { tables, key, tenantId } = copying;
  const reseal = createResealing(key.sealer, sealer, tenantId);
  let rows = 0;
  for (const query of tables.flatMap(queriesOf)) rows += await copyRows(copying, query, reseal);
  return rows;
}

interface Query extends Table {
  readonly rest?: Sql;
}

/**
 * Splits a table's rows into queries, in the order in which they are copied. Changes that have a position get new
 * positions in the same order: their `seq` column is omitted, so that the column's default value assigns the positions.
 */
function queriesOf(table: Table): readonly Query[] {
  if (table.name !== "changes") return [table];
  const unpositioned = table.columns.filter((name) => name !== "seq");
  return [
    { ...table, rest: sql`and seq is null` },
    { ...table, columns: unpositioned, rest: sql`and seq is not null order by seq` },
  ];
}

async function copyRows(
  { scratch, target, tenantId, onBytes }: Copying,
  { rest, ...table }: Query,
  reseal: Reseal,
): Promise<number> {
  // Every row gets the tenant's id, whichever id it has in the scratch database.
  const written = { ...table, columns: [idColumnOf(table.name), ...table.columns] };
  const selected = sql`${idConstant(tenantId)}, ${columns(table.columns)}`;
  const statement = copyOut(table, tenantId, { selected, ...(rest && { rest }) });
  const rowsOut = openCopyOut(scratch, statement);
  let rows = 0;
  const copyIn = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of inChunks(source)) {
      const { text } = copyStatement(written, "from stdin");
      await pipeline(Readable.from([chunk]), await openCopyIn(target, text));
      rows += chunk.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0);
      onBytes(chunk.length);
    }
  };
  await pipeline(rowsOut, resealing(written, reseal) ?? new PassThrough(), copyIn);
  return rows;
}

/** Splits COPY data into chunks of whole rows. */
async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    bytes += chunk.length;
    if (bytes < CHUNK_bytes || end === 0) {
      parts.push(chunk);
      continue;
    }
    yield Buffer.concat([...parts, chunk.subarray(0, end)]);
    parts = [chunk.subarray(end)];
    bytes = chunk.length - end;
  }
  const rest = Buffer.concat(parts);
  if (rest.length > 0) yield rest;
}

/** Completes the import, so that the tenant accepts requests. */
const complete = ({ clock, makeId }: ImportDeps, target: Db, tenantId: TenantId): Promise<void> =>
  transaction(target, async (tx) => {
    // If the webhooks are enabled later, they start at this position.
    await run(tx)`
      update event_webhooks
         set position = coalesce((select max(seq) from changes where tenant_id = ${tenantId}), 0)
       where tenant_id = ${tenantId}`;
    const { count } = await run(tx)`
      update tenants set delete_after_ts = null, imported_ts = ${epochSeconds(clock)}
       where id = ${tenantId} and imported_ts is null and deletion_started_ts is null`;
    if (count === 0) throw new StartError("The tenant was removed during its import.");
    await logChange({ db: tx, tenantId, actor: SERVICE }, makeId, {
      subjectType: "tenant",
      subjectId: tenantId,
      action: "imported",
      fields: {},
    });
  });
