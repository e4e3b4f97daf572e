/**
 * Records by email address, telephone number or external id, as docs/duplicates.md compares them; and the locks that
 * make concurrent writes of the same key wait for each other.
 */

import sql, { join, raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { HeldByOthers, inOrder, isContended, run, type Tx } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { type RecordType } from "../types/index.ts";
import { columnOf, type CountryCode, emailKey, listedKeys, personKeys } from "../shape/index.ts";
import { currentByExternalIds } from "../write/index.ts";

const KEY_KINDS = ["email", "phone", "external_id"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** A value that records are known by, in the form in which it is compared. */
export interface RecordKey {
  readonly kind: KeyKind;
  readonly value: string;
}

/** By what the records of a type are known: all of them by external id, some by their addresses. */
export const keyKinds = (type: RecordType): readonly KeyKind[] =>
  KEY_KINDS.filter(
    (kind) => kind === "external_id" || columnOf(type, `${kind}_list`) !== undefined,
  );

/** Whether the records of a type have addresses and numbers, by which they can be duplicates. */
export const hasAddresses = (type: RecordType): boolean => keyKinds(type).includes("email");

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** `email` and `phone` of a body, the more reliable first. */
export function mainKeys(body: JsonObject, country: CountryCode): readonly RecordKey[] {
  const sent = { email: textOf(body["email"]), phone: textOf(body["phone"]) };
  const { email, phone } = personKeys(sent, country);
  // An address that was sent with spaces around it is stored with them.
  const emails = email === null ? [] : new Set([email, emailKey(sent.email ?? "")]);
  return [
    ...[...emails].map((value) => ({ kind: "email", value }) as const),
    ...(phone === null ? [] : [{ kind: "phone", value: phone } as const]),
  ];
}

const isKey = { email: /@/, phone: /\d/ } as const;

/** Everything by which a body is known: `email` and `phone`, then the entries of its lists; addresses first. */
export function addressKeys(body: JsonObject, country: CountryCode): readonly RecordKey[] {
  const main = mainKeys(body, country);
  const listed = (["email", "phone"] as const).flatMap((kind) =>
    listedKeys(kind, body[`${kind}_list`], country)
      .filter((value) => isKey[kind].test(value))
      .map((value): RecordKey => ({ kind, value })),
  );
  if (listed.length === 0) return main;
  const keys = [...new Map([...main, ...listed].map((key) => [keyText(key), key])).values()];
  return keys.toSorted((a, b) => (a.kind < b.kind ? -1 : Number(a.kind > b.kind)));
}

/** A key as a text that no other key has. */
export const keyText = ({ kind, value }: RecordKey): string => `${kind}:${value}`;

/** How many records are returned for one key. */
export const MATCHES_MAX = 100;

/** What a key is compared with. Addresses go through the same `lower` as the column. */
const MATCHES = {
  email: sql`t.email_list @> array[lower(k.value)]`,
  phone: sql`t.phone_list @> array[k.value]`,
  external_id: sql`t.external_id = k.value`,
} as const;

/**
 * The ids of the records that have a key, newest first and at most MATCHES_MAX, by `keyText`; a key
 * that no record has is left out. `offset 0` keeps the planner at the index of keys: it takes one
 * record in 200 to match and would walk the table by age instead. `only` asks about one record.
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
  const lookUps = KEY_KINDS.flatMap((kind) => {
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
  if (lookUps.length === 0) return found;
  const rows = await run(db)`${join(lookUps, " union all ")} order by id desc`;
  for (const row of rows) {
    const { kind, value, id } = row as unknown as RecordKey & { readonly id: string };
    const text = keyText({ kind, value });
    found.set(text, [...(found.get(text) ?? []), id]);
  }
  return withMerged(scope, type, keys, found);
}

/** An external id that no record has may be that of one that was merged. */
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
 * As many keys as are locked one by one. Who has more locks all keys of the type: a batch of a thousand
 * would else fill the lock table that all sessions share (64 locks for each connection of the server).
 */
const LOCKED_ONE_BY_ONE = 32;

/** How long one who wants all keys of a type waits for those who hold some of them. */
const GATE_WAIT_ms = 300;

/**
 * Holds keys until the transaction ends; throws if another transaction holds one of them. First the lock
 * of the type, shared or exclusive, then the keys.
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
  if (row?.["is_held"] !== true) throw new HeldByOthers();
}

/**
 * Holds all keys of a type. Trying alone would never find the gate free while single writes come and
 * go: it is waited for a moment, in which no other passes it, and by one at a time.
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
    if (row?.["is_held"] !== true) throw new HeldByOthers();
  } catch (error) {
    throw isContended(error) ? new HeldByOthers() : error;
  }
}

/**
 * Locks keys and then finds who has some of them, in one round trip. Throws HeldByOthers where a key is
 * held elsewhere: then the transaction must end and be run again (`untilFree`).
 */
export async function lockAndFind(
  scope: Scope<Tx>,
  type: RecordType,
  { held, sought = held }: { held: readonly RecordKey[]; sought?: readonly RecordKey[] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  // Sent together and run one after the other: the second sees what was committed before the lock.
  const [, found] = await inOrder(lockKeys(scope, type, held), findByKeys(scope, type, sought));
  return found;
}
