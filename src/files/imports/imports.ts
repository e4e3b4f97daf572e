/**
 * The SQL for imports. The client that sends the file holds a lease. Every later statement checks the lease, so that
 * only one of two concurrent senders can write.
 */

import sql from "sql-template-tag";
import { randomBytes } from "node:crypto";
import { changedFields, logChange, type Scope, type TenantId } from "../../audit/index.ts";
import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import {
  assigned,
  columns,
  type Db,
  inserted,
  run,
  transaction,
  type Tx,
} from "../../platform/database/index.ts";
import type { Slice } from "../../platform/paging/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { RecordName } from "../../records/types/index.ts";
import type { ShownImport } from "./import-members.ts";
import type { ImportOptions } from "./import-options.ts";
import type { MappingReport } from "../columns/index.ts";
import type { OpenFile } from "../read/index.ts";
import type { TallyReport } from "./tally.ts";

export interface Counts extends Pick<
  ShownImport,
  "rows" | "created" | "updated" | "unchanged" | "refused"
> {}

export interface ImportRow
  extends
    Counts,
    Pick<ShownImport, "id" | "file_name" | "dry_run" | "state" | "last_line" | "error">,
    Pick<ShownImport, "created_ts" | "updated_ts" | "finished_ts"> {
  readonly record_type: RecordName;
  readonly options: ImportOptions;
  readonly columns?: number | null;
  readonly fingerprint: string | null;
  readonly file: Omit<OpenFile, "rows"> | null;
  readonly mapping: MappingReport | null;
  readonly tally: TallyReport;
  readonly person_id: string;
  readonly person_name: string;
  readonly lease: string | null;
  readonly lease_until_ms: number | null;
}

export interface ImportDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

export interface NewImport extends Pick<ImportRow, "file_name" | "dry_run" | "options"> {
  readonly type: RecordName;
  readonly person: { readonly id: string; readonly name: string };
}

/** A lease that is not renewed for this long expires. */
export const LEASE_ms = 15_000;

const EMPTY_TALLY: TallyReport = {
  rows: 0,
  taken: 0,
  rejected: 0,
  warned: 0,
  warnings: {},
  words: [],
};

/** Creates an import that waits for its file. */
export async function createImport(
  scope: Scope,
  { clock, makeId }: ImportDeps,
  { type, file_name, dry_run, options, person }: NewImport,
): Promise<ImportRow> {
  const id = makeId();
  const now_s = epochSeconds(clock);
  const row = {
    tenant_id: scope.tenantId,
    id,
    record_type: type,
    file_name,
    dry_run,
    state: "waiting",
    person_id: person.id,
    person_name: person.name,
    created_ts: now_s,
    updated_ts: now_s,
  };
  await transaction(scope.db, async (tx) => {
    await run(tx)`insert into imports ${inserted({ ...row, options, tally: EMPTY_TALLY })}`;
    const logged = { type, file_name, dry_run, options: { ...options } };
    await logImport({ ...scope, db: tx }, makeId, { id, action: "created", logged });
  });
  return readImport(scope, id);
}

const logImport = (
  scope: Scope<Tx>,
  makeId: MakeId,
  {
    id,
    action,
    logged,
  }: { readonly id: string; readonly action: string; readonly logged: JsonObject },
): Promise<void> =>
  logChange(scope, makeId, {
    subjectType: "import",
    subjectId: id,
    action,
    fields: changedFields({}, logged),
  });

/**
 * Selects the number of columns. Does not parse the mapping as JSON, because the column names of older imports may
 * contain characters that PostgreSQL rejects.
 */
const COLUMNS = sql`substring(mapping::text from '"columns":[ ]*([0-9]+)')::int as columns`;

/**
 * The columns of an import. Statements name them: the result of a prepared `select *` changes when a later release adds a
 * column.
 */
const SMALL = sql`
  id, record_type, file_name, dry_run, state, fingerprint, last_line, rows, created, updated,
  unchanged, refused, tally, error, person_id, person_name, lease, lease_until_ms, created_ts,
  updated_ts, finished_ts`;
const ALL = sql`${SMALL}, options, file, mapping`;

/** Returns the import with this id. Throws 404 if there is none. */
export async function readImport({ db, tenantId }: Scope, id: string): Promise<ImportRow> {
  const [row] = await run<[ImportRow?]>(db)`
    select ${ALL}, ${COLUMNS}
      from imports where tenant_id = ${tenantId} and id = ${id}`;
  if (row === undefined) throw new AppError("not_found");
  return row;
}

/** Lists omit options, column names and mappings larger than this, because a file can have 2,000 columns. */
const LISTED_MAX_bytes = 16 * 1024;

/** Selects a column, or null if its value is large. */
const small = (name: string) =>
  sql`
  case when octet_length(${columns([name])}::text) <= ${LISTED_MAX_bytes}::int then ${columns([name])} end
    as ${columns([name])}`;

/** Returns a page of imports, newest first, plus one more if there is a next page. Large members are null. */
export function listImports(
  { db, tenantId }: Scope<Db>,
  { limit, offset, before }: Slice,
): Promise<readonly ImportRow[]> {
  return run<ImportRow[]>(db)`
    select ${SMALL}, ${COLUMNS}, ${small("options")}, ${small("file")}, ${small("mapping")}
      from imports
     where tenant_id = ${tenantId} ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc limit ${limit} offset ${offset}`;
}

/**
 * Returns the newest running or interrupted import of this file with the same options, or undefined if there is none.
 */
export async function findInterrupted(
  { db, tenantId }: Scope<Db>,
  fingerprint: string,
  { type, file_name, options }: Pick<NewImport, "type" | "file_name" | "options">,
): Promise<ImportRow | undefined> {
  const [row] = await run<ImportRow[]>(db)`
    select ${ALL} from imports
     where tenant_id = ${tenantId} and fingerprint = ${fingerprint} and record_type = ${type}
       and file_name is not distinct from ${file_name} and not dry_run
       and options::text = ${JSON.stringify(options)}
       and state in ('running', 'interrupted')
     order by id desc limit 1`;
  return row;
}

/** Whether a client is currently sending this import's file. */
export const isLeased = ({ state, lease_until_ms }: ImportRow, now_ms: number): boolean =>
  state === "running" && (lease_until_ms ?? 0) > now_ms;

/**
 * Returns the state for responses. If the sender has disappeared, the import is interrupted, even if that has not been
 * stored yet.
 */
export const stateOf = (row: ImportRow, now_ms: number): ImportRow["state"] =>
  row.state === "running" && !isLeased(row, now_ms) ? "interrupted" : row.state;

/**
 * Takes the lease of an open import. Throws 404 if there is no such import, and 409 with its state if it is not open or
 * is already leased.
 */
export async function takeLease(
  scope: Scope<Db>,
  { clock }: ImportDeps,
  id: string,
): Promise<ImportRow & { readonly lease: string }> {
  const { db, tenantId } = scope;
  const now_ms = Math.floor(clock.now_ms());
  const lease = randomBytes(16).toString("hex");
  const [row] = await run<(ImportRow & { lease: string })[]>(db)`
    update imports
       set state = 'running', lease = ${lease}, lease_until_ms = ${now_ms + LEASE_ms}, error = null
     where tenant_id = ${tenantId} and id = ${id}
       and (state in ('waiting', 'interrupted')
            or (state = 'running' and lease_until_ms <= ${now_ms}))
    returning ${ALL}`;
  if (row !== undefined) return row;
  const found = await readImport(scope, id);
  const members = { status: found.state };
  if (found.state !== "running") {
    const detail = `This import has ${found.state}; create another one`;
    throw new AppError("conflict", { detail, members });
  }
  // If the sender's process was killed, its lease expires after this time. The file can then be sent again.
  const wait_ms = (found.lease_until_ms ?? 0) - clock.now_ms();
  const wait_s = Math.max(1, Math.ceil(wait_ms / 1000));
  const detail = "The file of this import is already being uploaded";
  throw new AppError("conflict", { detail, members, headers: { "retry-after": `${wait_s}` } });
}

export interface LeasedImport {
  readonly id: string;
  readonly lease: string;
}

/** Thrown if another sender has taken over the import. */
export class LeaseLost extends AppError {
  constructor() {
    super("conflict", { detail: "Another upload has taken over this import" });
  }
}

/** Updates columns of a leased import and renews the lease. */
export async function saveImport(
  { db, tenantId }: { readonly db: Db | Tx; readonly tenantId: TenantId },
  { clock }: Pick<ImportDeps, "clock">,
  { id, lease }: LeasedImport,
  members: Partial<Omit<ImportRow, "id" | "lease">>,
): Promise<void> {
  const now_ms = Math.floor(clock.now_ms());
  const row = {
    ...members,
    updated_ts: Math.floor(now_ms / 1000),
    lease_until_ms: now_ms + LEASE_ms,
  };
  const changed = await run(db)`
    update imports set ${assigned(row)}
     where tenant_id = ${tenantId} and id = ${id} and lease = ${lease}`;
  if (changed.count === 0) throw new LeaseLost();
}

/** Ends a leased import and writes an audit entry. */
export async function endImport(
  scope: Scope<Db>,
  deps: ImportDeps,
  held: LeasedImport,
  {
    state,
    error,
    logged,
  }: {
    readonly state: "finished" | "failed";
    readonly error: string | null;
    readonly logged: JsonObject;
  },
): Promise<void> {
  await transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    await saveImport(within, deps, held, { state, error, finished_ts: epochSeconds(deps.clock) });
    await run(tx)`update imports set lease = null, lease_until_ms = null
              where tenant_id = ${scope.tenantId} and id = ${held.id}`;
    await logImport(within, deps.makeId, {
      id: held.id,
      action: state,
      logged: { ...logged, error },
    });
  });
}

/** Releases the lease of an interrupted import, so that it can be resumed immediately. */
export async function releaseLease(
  { db, tenantId }: Scope<Db>,
  { id, lease }: LeasedImport,
  error: string,
): Promise<void> {
  await run(db)`
    update imports set state = 'interrupted', lease = null, lease_until_ms = null, error = ${error}
     where tenant_id = ${tenantId} and id = ${id} and lease = ${lease}`;
}
