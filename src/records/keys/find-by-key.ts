/**
 * Finds records by email address, phone number or external id, compared as described in docs/duplicates.md. Locks keys
 * so that concurrent writes of the same key wait for each other.
 */

import sql, { join, raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { inOrder, run, type Tx } from "../../platform/database/index.ts";
import { LockedByOthers, isContended } from "../../platform/failed-statements/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { ENTRIES_MAX } from "../kinds/index.ts";
import { type RecordType } from "../types/index.ts";
import { columnOf } from "../columns/index.ts";
import { type CountryCode, listedKeys, personKeys } from "../contact-details/index.ts";
import { currentByExternalIds } from "../write/index.ts";

const KEY_KINDS = ["email", "phone", "external_id"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What texts call each kind of key. */
export const KEY_NAMES: Readonly<Record<KeyKind, string>> = {
  email: "email",
  phone: "phone number",
  external_id: "external id",
};

/** A value used to find records, in the form used for comparison. */
export interface RecordKey {
  readonly kind: KeyKind;
  readonly value: string;
}

/**
 * Returns the kinds of keys that a type supports. All types support external ids, and some support addresses and
 * numbers.
 */
export const keyKinds = (type: RecordType): readonly KeyKind[] =>
  KEY_KINDS.filter(
    (kind) => kind === "external_id" || columnOf(type, `${kind}_list`) !== undefined,
  );

/** Whether records of a type have email addresses and phone numbers, by which possible duplicates are found. */
export const hasAddresses = (type: RecordType): boolean => keyKinds(type).includes("email");

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Returns the keys in a body's `email` and `phone`. The email comes first because it is more reliable. */
export function mainKeys(body: JsonObject, country: CountryCode): readonly RecordKey[] {
  const sent = { email: textOf(body["email"]), phone: textOf(body["phone"]) };
  const { email, phone } = personKeys(sent, country);
  return [
    ...(email === null ? [] : [{ kind: "email", value: email } as const]),
    ...(phone === null ? [] : [{ kind: "phone", value: phone } as const]),
  ];
}

const isKey = { email: /@/, phone: /\d/ } as const;

/** Whether a list is so long that it is accepted only if it equals the stored list. It then contains no new keys. */
export const isLongList = (list: Json | undefined): boolean =>
  Array.isArray(list) && list.length > ENTRIES_MAX;

/** Returns all keys in a body: `email` and `phone`, then the entries of its lists, with addresses first. */
export function addressKeys(body: JsonObject, country: CountryCode): readonly RecordKey[] {
  const main = mainKeys(body, country);
  const listed = (["email", "phone"] as const)
    .filter((kind) => !isLongList(body[`${kind}_list`]))
    .flatMap((kind) =>
      listedKeys(kind, body[`${kind}_list`], country)
        .filter((value) => isKey[kind].test(value))
        .map((value): RecordKey => ({ kind, value })),
    );
  if (listed.length === 0) return main;
  const keys = [...new Map([...main, ...listed].map((key) => [keyText(key), key])).values()];
  return keys.toSorted((a, b) => (a.kind < b.kind ? -1 : Number(a.kind > b.kind)));
}

/** Returns a unique string for a key. */
export const keyText = ({ kind, value }: RecordKey): string => `${kind}:${value}`;

/** Maximum number of records returned for one key. */
export const MATCHES_MAX = 100;

/** The comparison for each kind of key. Addresses use the same `lower` as the column. */
const MATCHES = {
  email: sql`t.email_list @> array[lower(k.value)]`,
  phone: sql`t.phone_list @> array[k.value]`,
  external_id: sql`t.external_id = k.value`,
} as const;

/**
 * Returns the ids of the records with each key, by `keyText`. They are sorted newest first, with at most MATCHES_MAX
 * per key. Keys without records are not in the result. `only` restricts the search to one record. `offset 0` makes the
 * planner use the key index. Without it, the planner would expect one record in 200 to match, and would therefore scan
 * the table from newest to oldest.
 */
export async function findByKeys(
  scope: Scope,
  type: RecordType,
  keys: readonly RecordKey[],
  { only }: { readonly only?: string } = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { db, tenantId } = scope;
  const found = new Map<string, readonly string[]>();
  const among = only === undefined ? sql`` : sql`and t.id = ${only}`;
  const lookups = KEY_KINDS.flatMap((kind) => {
    const values = keys.filter((key) => key.kind === kind).map(({ value }) => value);
    if (values.length === 0) return [];
    return sql`
      select ${kind} as kind, k.value, r.id
        from unnest(${[...new Set(values)]}::text[]) as k(value),
             lateral (select id from (select id from ${raw(type.table)} t
                                       where t.tenant_id = ${tenantId} and ${MATCHES[kind]} ${among}
                                      offset 0) m
                       order by id desc limit ${raw(String(MATCHES_MAX))}) r`;
  });
  if (lookups.length === 0) return found;
  const rows = await run<(RecordKey & { readonly id: string })[]>(db)`
    ${join(lookups, " union all ")} order by id desc`;
  for (const { kind, value, id } of rows) {
    const text = keyText({ kind, value });
    found.set(text, [...(found.get(text) ?? []), id]);
  }
  return withMerged(scope, type, keys, found);
}

/** Adds the surviving records for external ids of merged records. */
async function withMerged(
  scope: Scope,
  type: RecordType,
  keys: readonly RecordKey[],
  found: Map<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const open = keys.filter((key) => key.kind === "external_id" && !found.has(keyText(key)));
  const current = await currentByExternalIds(
    scope,
    type,
    open.map(({ value }) => value),
  );
  for (const [value, id] of current) found.set(keyText({ kind: "external_id", value }), [id]);
  return found;
}

/**
 * Up to this number, keys are locked individually. For more keys, all keys of the type are locked together. Otherwise,
 * a batch of a thousand keys would fill the lock table that all sessions share (64 locks per server connection).
 */
const LOCKED_ONE_BY_ONE = 32;

/** How long a transaction that locks all keys of a type waits for transactions that lock individual keys. */
const GATE_WAIT_ms = 300;

/**
 * Locks keys until the transaction ends. Throws if another transaction holds one of them. First takes the type's lock
 * (shared for individual keys, exclusive for all keys), and then the keys' locks.
 */
async function lockKeys(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  keys: readonly RecordKey[],
): Promise<void> {
  if (keys.length === 0) return;
  const gate = `${tenantId} ${type.name}`;
  if (keys.length > LOCKED_ONE_BY_ONE) return lockGate(db, gate);
  const places = [...new Set(keys.map((key) => `${gate} ${keyText(key)}`))];
  const [row] = await run(db)`select bool_and(case when place = ${gate}::text
                             then pg_try_advisory_xact_lock_shared(hashtextextended(place, 0))
                             else pg_try_advisory_xact_lock(hashtextextended(place, 0)) end) as is_held
          from unnest(${[gate, ...places]}::text[]) place`;
  if (row?.["is_held"] !== true) throw new LockedByOthers();
}

/**
 * Locks all keys of a type. Waits briefly for the lock, because it might otherwise never be free while individual
 * writes come and go. No new individual write starts during the wait. Only one transaction waits at a time.
 */
async function lockGate(db: Tx, gate: string): Promise<void> {
  try {
    const [, [row]] = await inOrder(
      run(db)`select set_config('lock_timeout', ${String(GATE_WAIT_ms)}, true)`,
      run(
        db,
      )`select case when pg_try_advisory_xact_lock(hashtextextended(${`${gate} all`}::text, 0))
                        then pg_advisory_xact_lock(hashtextextended(${gate}::text, 0)) is not null
                        else false end as is_held`,
      run(db)`set local lock_timeout to default`,
    );
    if (row?.["is_held"] !== true) throw new LockedByOthers();
  } catch (error) {
    throw isContended(error) ? new LockedByOthers() : error;
  }
}

/**
 * Locks keys and then finds the records that have any of them, in one round trip. Throws LockedByOthers if another
 * transaction holds a key. The caller must then end the transaction and retry it (`retryWhileLocked`).
 */
export async function lockAndFind(
  scope: Scope<Tx>,
  type: RecordType,
  { held, sought = held }: { held: readonly RecordKey[]; sought?: readonly RecordKey[] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  // The queries are sent together and run in order: the second one sees everything that was committed before the locks
  // were acquired.
  const [, found] = await inOrder(lockKeys(scope, type, held), findByKeys(scope, type, sought));
  return found;
}
