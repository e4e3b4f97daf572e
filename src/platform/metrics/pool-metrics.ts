/** Metrics of the connection pools: connections, slots (docs/fair-shares.md), and the largest tenants. */

import { Counter, Gauge, type Registry } from "prom-client";
import { WORK_CLASSES } from "../admission/index.ts";
import type { Database } from "../database/index.ts";
import type { Pool } from "../pool/index.ts";
import { createTenantShares } from "./tenant-shares.ts";

const inUse = ({ sessions }: Pool): number =>
  [...sessions].filter(({ isExpecting, isHeld }) => isExpecting || isHeld).length;

const PREFIX = "leadport_database_pool";

/** Adds the metrics of all pools. `reads` serves lookups by key, and `lists` serves composed queries. */
export function addPoolMetrics(register: Registry, database: Database): void {
  const { pools, admission } = database;
  addConnections(register, pools);
  const slots = () => {
    const { sql: writes, ...others } = admission.snapshot();
    return { writes, ...others };
  };
  addSlots(register, slots);
  addTenants(register, slots);
}

function addConnections(register: Registry, pools: Readonly<Record<string, Pool>>): void {
  const add = (name: string, help: string, read: (pool: Pool) => number): void => {
    const gauge: Gauge = new Gauge({
      name: `${PREFIX}_${name}`,
      help,
      labelNames: ["pool"],
      registers: [register],
      collect: () => {
        for (const [name, pool] of Object.entries(pools)) gauge.set({ pool: name }, read(pool));
      },
    });
  };
  add("connections_in_use", "Connections that are running a statement or a transaction.", inUse);
  add("connections_max", "Maximum number of connections that the pool may open.", ({ max }) => max);
}

type ReadSlots = () => Readonly<
  Record<string, ReturnType<Database["admission"]["snapshot"]>["sql"]>
>;

function addSlots(register: Registry, read: ReadSlots): void {
  const registers = [register];
  const slots: Gauge = new Gauge({
    name: `${PREFIX}_slots`,
    help: "Maximum number of concurrent statements and transactions in the pool.",
    labelNames: ["pool"],
    registers,
    collect: () => {
      for (const [pool, figures] of Object.entries(read())) slots.set({ pool }, figures.slots);
    },
  });
  const addByClass = (what: "in_use" | "waiting", help: string): void => {
    const gauge: Gauge = new Gauge({
      name: `${PREFIX}_slots_${what}`,
      help,
      labelNames: ["pool", "class"],
      registers,
      collect: () => {
        for (const [pool, figures] of Object.entries(read())) {
          for (const name of WORK_CLASSES) gauge.set({ pool, class: name }, figures[what][name]);
        }
      },
    });
  };
  addByClass("in_use", "Slots in use, by class of work.");
  addByClass(
    "waiting",
    "Statements and transactions that are waiting for a slot, by class of work.",
  );
  const used: Counter = new Counter({
    name: `${PREFIX}_slot_seconds_total`,
    help: "Total time for which slots were in use, by class of work.",
    labelNames: ["pool", "class"],
    registers,
    collect: () => {
      used.reset();
      for (const [pool, figures] of Object.entries(read())) {
        for (const name of WORK_CLASSES)
          used.inc({ pool, class: name }, figures.used_ms[name] / 1000);
      }
    },
  });
}

/**
 * Uses only gauges, because the series of a tenant ends when the tenant is no longer among the
 * largest. If these were counters, a sum over tenants would drop when a series ends, which looks
 * like a restart of all processes.
 */
function addTenants(register: Registry, read: ReadSlots): void {
  const shares = createTenantShares(performance.now());
  const add = (name: string, help: string, collect?: () => void): Gauge =>
    new Gauge({
      name: `leadport_tenant_slots_${name}`,
      help: `${help}, for each of the ten tenants that used the most slot time in the last minute, for all other tenants ("other") and for work without a tenant ("none").`,
      labelNames: ["tenant"],
      registers: [register],
      ...(collect && { collect }),
    });
  const average = add("average", "Average number of slots in use during the last minute", () => {
    // Gauges are collected in the order in which they were added, so the first one reads the values
    // for all.
    for (const gauge of [average, inUseNow, waiting]) gauge.reset();
    for (const share of shares(Object.values(read()), performance.now())) {
      const { tenant } = share;
      average.set({ tenant }, share.average);
      inUseNow.set({ tenant }, share.in_use);
      waiting.set({ tenant }, share.waiting);
    }
  });
  const inUseNow = add("in_use", "Slots in use");
  const waiting = add("waiting", "Statements and transactions that are waiting for a slot");
}
