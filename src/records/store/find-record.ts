/**
 * Reads stored records, optionally locking them. A record can be as large as 1 MB, so lists of records are first
 * locked by id and then read in groups of limited size.
 */

import { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run, runRaw, type Tx } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../types/index.ts";
import type { Internal } from "../body/index.ts";
import { tableSql } from "./table-sql.ts";

/** A record as stored. */
export interface Stored {
  readonly body: JsonObject;
  readonly internal: Internal;
  readonly version: number;
}

/** A row of a statement that selects a record. */
export interface StoredRow {
  readonly body: JsonObject;
  readonly internal: Internal | null;
}

export const storedIn = ({ body, internal }: StoredRow): Stored => ({
  body,
  internal: internal ?? {},
  version: Number(body["version"]),
});

/** Returns a record's body as bytes, or undefined if the tenant has no record with this id. */
export async function findBody(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
): Promise<Buffer | undefined> {
  const [row] = await runRaw(
    db,
  )`select body from ${tableSql(type).table} where tenant_id = ${tenantId} and id = ${id}`;
  return row?.column(0) ?? undefined;
}

/** Returns the id if one of the tenant's records of this type has it, and otherwise undefined. */
export async function findId(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
): Promise<string | undefined> {
  const [row] = await run<{ id: string }[]>(db)`
    select id from ${tableSql(type).table} where tenant_id = ${tenantId} and id = ${id}`;
  return row?.id;
}

/** Returns a record with its internal data. With `lock`, locks it until the transaction ends. */
export async function findStored(
  { db, tenantId }: Scope,
  type: RecordType,
  id: string,
  { lock = false } = {},
): Promise<(Stored & { readonly bytes: Buffer }) | undefined> {
  const [row] = await runRaw(db)`select body, internal from ${tableSql(type).table}
         where tenant_id = ${tenantId} and id = ${id} ${raw(lock ? "for update" : "")}`;
  const bytes = row?.column(0) ?? null;
  if (row === undefined || bytes === null) return undefined;
  const internal = row.column(1);
  const parsed: StoredRow = {
    body: JSON.parse(bytes.toString("utf8")),
    internal: internal === null ? null : JSON.parse(internal.toString("utf8")),
  };
  return { bytes, ...storedIn(parsed) };
}

/** Locks records in the order of their ids until the transaction ends. Returns them by id. */
export const lockStored = (scope: Scope<Tx>, type: RecordType, ids: readonly string[]) =>
  readStored(scope, type, ids, raw("for update"));

/** Returns records by id. */
export async function readStored(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
  lock = raw(""),
): Promise<ReadonlyMap<string, Stored>> {
  const rows = await run<(StoredRow & { readonly id: string })[]>(db)`
        select id, body, internal from ${tableSql(type).table}
         where tenant_id = ${tenantId} and id = any(${ids}::text[]) order by id ${lock}`;
  return new Map(rows.map((row) => [row.id, storedIn(row)]));
}

/** A record that has not been read yet. */
export interface Unread {
  readonly id: string;
  /** The size of its body. */
  readonly bytes: number;
}

/** The columns of an `Unread`. */
export const UNREAD = raw("id, octet_length(body::text) as bytes");

/** Locks records in the order of their ids until the transaction ends, without reading them. Returns them by id. */
export async function lockUnread(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Unread>> {
  const rows = await run<Unread[]>(db)`select ${UNREAD} from ${tableSql(type).table}
         where tenant_id = ${tenantId} and id = any(${ids}::text[]) order by id for update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Maximum size of a group. Parsed bodies occupy several times as much memory. */
const GROUP_BYTES = 2 * 1024 * 1024;
export const GROUP_RECORDS = 200;

/** Splits records into groups that can be read and written at once. A larger record is a separate group. */
export function inGroups<U extends Unread>(records: Iterable<U>): readonly (readonly U[])[] {
  const groups: U[][] = [];
  let group: U[] = [];
  let bytes = Infinity;
  for (const one of records) {
    bytes += one.bytes;
    if (bytes > GROUP_BYTES || group.length === GROUP_RECORDS) {
      group = [];
      bytes = one.bytes;
      groups.push(group);
    }
    group.push(one);
  }
  return groups;
}

/**
 * Returns a function that reads these locked records one by one. It reads a group at once, and keeps only this group in
 * memory, so the records must be read in the given order.
 */
export function groupReader(
  scope: Scope<Tx>,
  type: RecordType,
  records: Iterable<Unread>,
): (one: Unread) => Promise<Stored> {
  const groups = inGroups(records).flatMap((group) => group.map((one) => [one, group] as const));
  const groupOf = new Map(groups);
  let current: readonly Unread[] | undefined;
  let stored: ReadonlyMap<string, Stored> = new Map();
  return async (one) => {
    const group = groupOf.get(one) ?? [one];
    if (group !== current) {
      const ids = group.map(({ id }) => id);
      stored = await readStored(scope, type, ids);
      current = group;
    }
    return stored.get(one.id) as Stored;
  };
}

/**
 * Returns the current names of records by id. Records that no longer exist are omitted. With `lock`, locks the records
 * against changes until the transaction ends.
 */
export async function recordNames(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
  { lock = false } = {},
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await run<{ id: string; name: string | null }[]>(db)`
    select id, body->>'name' as name from ${tableSql(type).table}
     where tenant_id = ${tenantId} and id = any(${ids}::text[]) ${raw(lock ? "for share" : "")}`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the id of the tenant's record that has this unique value. */
export async function findByUnique(
  { db, tenantId }: Scope,
  type: RecordType,
  name: string,
  value: string,
): Promise<string | undefined> {
  const [row] = await run<{ id: string }[]>(db)`select id from ${tableSql(type).table}
         where tenant_id = ${tenantId} and ${raw(name)} = ${value}`;
  return row?.id;
}
