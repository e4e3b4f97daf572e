/** A database with demo data, filled by the service's own code. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type FillOptions, startFilling } from "../../src/demo/fill.ts";
import { systemClock, type Clock } from "../../src/platform/clock/clock.ts";
import { columns, type Db, run } from "../../src/platform/database/index.ts";
import { createSealer } from "../../src/platform/secrets/index.ts";
import { PARTICIPANTS } from "../../src/service/index.ts";
import { migratedDatabase } from "../kit/database.ts";
import { openPools, type Owner } from "../kit/started.ts";
import { noting, type TestSql } from "../kit/sql.ts";

/** Small enough to be fast, large enough to contain every state. */
export const SMALL = { leads: 60, seed: 1 } as const;

export interface DemoDatabase {
  readonly sql: TestSql;
  /** Starts filling the demo tenant. */
  readonly start: (options?: Partial<FillOptions>) => ReturnType<typeof startFilling>;
  /** Fills the demo tenant completely. Returns the tenant's id. */
  readonly fill: (options?: Partial<FillOptions>) => Promise<string>;
}

/** Creates an empty database with this program's schema. `debug` is called for each statement. */
export async function demoDatabase(
  t: Owner,
  { clock = systemClock(), debug }: { readonly clock?: Clock; readonly debug?: () => void } = {},
): Promise<DemoDatabase> {
  const { url } = await migratedDatabase(t);
  const { sql } = openPools(t, { url, connections: 4, listTimeout_ms: 10_000 });
  const counted = debug === undefined ? sql : noting(sql, debug);
  const sealer = createSealer({ all: [randomBytes(32)] });
  const start = (options: Partial<FillOptions> = {}) =>
    startFilling(
      { sql: counted, clock, sealer, participants: PARTICIPANTS },
      { ...SMALL, ...options },
    );
  const fill = async (options: Partial<FillOptions> = {}) => {
    const { tenant, done } = await start(options);
    await done;
    return tenant.id;
  };
  return { sql, start, fill };
}

/** Returns a tenant's row count for each table with a tenant_id, as listed in the database catalog. */
export async function rowsByTable(sql: Db, tenantId: string): Promise<Map<string, number>> {
  const tables = await run(sql)`
    select table_schema, table_name from information_schema.columns
     where column_name = 'tenant_id' and table_schema not in ('pg_catalog', 'information_schema')
     order by 1, 2`;
  const found = new Map<string, number>();
  for (const { table_schema, table_name } of tables) {
    const [row] = await run(sql)`
      select count(*)::int as rows from ${columns([`${table_schema}.${table_name}`])}
       where tenant_id = ${tenantId}`;
    found.set(String(table_name), Number(row?.["rows"]));
  }
  return found;
}

/** Returns a function that checks whether an error is a conflict with a matching message. */
export const conflict = (detail: RegExp) => (error: Error) => {
  assert.match(error.message, detail);
  assert.equal((error as { status?: number }).status, 409);
  return true;
};
