/** Metrics of the connection pools of a process: connections in use, and statements that wait for one. */

import { Gauge, type Registry } from "prom-client";
import type { Database, Db } from "./db.ts";

/** What our patch of the driver shows of a pool. */
interface Pool {
  readonly connections: readonly {
    /** Undefined while no response is expected. */
    readonly heard: number | undefined;
    /** Set while a transaction has the connection. */
    readonly reserved?: unknown;
  }[];
  readonly queries: { readonly length: number };
}

const inUse = ({ connections }: Pool): number =>
  connections.filter(({ heard, reserved }) => heard !== undefined || Boolean(reserved)).length;

/** The pool `writes` also serves lookups by key; `lists` serves composed queries. */
export function addPoolMetrics(register: Registry, { sql, lists }: Database): void {
  const pools: Readonly<Record<string, Db>> = { writes: sql, lists };
  const add = (name: string, help: string, read: (pool: Pool) => number): void => {
    const gauge: Gauge = new Gauge({
      ...{ name, help, labelNames: ["pool"], registers: [register] },
      collect: () => {
        for (const [pool, db] of Object.entries(pools)) {
          gauge.set({ pool }, read(db as unknown as Pool));
        }
      },
    });
  };
  const prefix = "leadport_database_pool";
  add(`${prefix}_connections_in_use`, "Connections that run a statement or a transaction.", inUse);
  add(
    `${prefix}_connections_max`,
    "Connections that the pool may open.",
    (pool) => pool.connections.length,
  );
  add(
    `${prefix}_statements_waiting`,
    "Statements that wait for a connection.",
    (pool) => pool.queries.length,
  );
}
