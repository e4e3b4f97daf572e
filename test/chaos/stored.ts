/** Compares the database with the writes that the service acknowledged. */

import assert from "node:assert/strict";
import type { Ledger } from "./writers.ts";
import type { TestSql } from "../kit/sql.ts";

export interface Stored {
  readonly records: number;
  /** Acknowledged records and increments that are missing from the database. */
  readonly lost: number;
  /** Fails unless the database contains exactly what was acknowledged, each write once. */
  readonly check: () => void;
}

/** Reads a tenant's records. `shared` contains the ids of the leads that the writers use as counters. */
export async function readStore(
  sql: TestSql,
  tenantId: string,
  ledger: Ledger,
  shared: readonly string[],
): Promise<Stored> {
  const read = async (table: string, name: string) => {
    const rows = await sql`
      select id, body->>${name} as name, version, body->>'comments' as comments
        from ${sql(table)} where tenant_id = ${tenantId} order by body->>${name} collate "C"`;
    return rows.map(({ id, name, version, comments }) => ({ id, name, version, comments }));
  };
  const all = await read("leads", "name");
  const contacts = await read("contacts", "external_id");
  const tasks = await read("tasks", "name");
  const leads = all.filter(({ id }) => !shared.includes(id as string));
  const counted = all
    .filter(({ id }) => shared.includes(id as string))
    .map(({ id, version, comments }) => ({ id, version, count: Number(comments) }));
  const expected = counted.map(({ id }) => {
    const increments = ledger.increments.get(id as string) ?? 0;
    return { id, version: increments + 1, count: increments };
  });
  const missing = (names: Iterable<string>, rows: typeof leads): number => {
    const found = new Set(rows.map(({ name }) => name as string));
    return [...names].filter((name) => !found.has(name)).length;
  };
  const uncounted = expected.map(({ count }, at) => Math.max(0, count - (counted[at]?.count ?? 0)));
  return {
    records: all.length + contacts.length + tasks.length,
    lost:
      missing(ledger.leads.keys(), leads) +
      missing(ledger.contacts.keys(), contacts) +
      missing(ledger.tasks, tasks) +
      uncounted.reduce((sum, count) => sum + count, 0),
    check: () => {
      assert.equal(counted.length, shared.length);
      assert.deepEqual(counted, expected);
      assert.deepEqual(leads, sorted(ledger.leads));
      assert.deepEqual(contacts, sorted(ledger.contacts));
      assert.deepEqual(
        tasks.map(({ name }) => name as string),
        [...ledger.tasks].toSorted(),
      );
    },
  };
}

const sorted = (acknowledged: Ledger["leads"]) =>
  [...acknowledged]
    .map(([name, { id, version, comments }]) => ({ id, name, version, comments }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
