/**
 * Measures the processor time of a service, in all its processes, and of its database. This shows
 * what a request costs even if the machine is busy with other work. Linux only.
 */

import { readdirSync, readFileSync } from "node:fs";
import { withDatabase } from "./database.ts";
import type { Service } from "./service.ts";

/** The kernel counts processor time in ticks: 100 per second on every Linux that Node runs on. */
const TICK_ms = 10;

interface Used {
  readonly parent: number;
  /** The processor time used by the process and its exited children. */
  readonly ms: number;
}

/** Returns a process's parent and the processor time it has used, or undefined if the process has exited. */
function usedBy(pid: string | number): Used | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name is in parentheses and may itself contain spaces and parentheses. Parsing therefore starts after
    // the last closing parenthesis.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = rest.slice(9, 13).reduce((sum, used) => sum + Number(used), 0);
    return { parent: Number(parent), ms: ticks * TICK_ms };
  } catch {
    return undefined;
  }
}

export interface Cpu {
  /** The processor time used so far by the service and by its database. */
  readonly service_ms: number;
  readonly database_ms: number;
}

/** Returns the processor time of a process and its descendants. Leaves out the process `except` and its descendants. */
function sumBelow(all: ReadonlyMap<number, Used>, pid: number, except?: number): number {
  const below = [...all].filter(([child, { parent }]) => parent === pid && child !== except);
  const own_ms = all.get(pid)?.ms ?? 0;
  return below.reduce((sum, [child]) => sum + sumBelow(all, child, except), own_ms);
}

/** Returns a meter for the processor time of a running service. */
export async function cpuMeterOf({
  pid,
  databaseUrl,
}: Pick<Service, "pid" | "databaseUrl">): Promise<() => Cpu> {
  const postmaster = await withDatabase(databaseUrl, async ({ query }) => {
    const [row] = await query("select pg_backend_pid() as pid");
    return usedBy(Number(row?.["pid"]))?.parent;
  });
  if (postmaster === undefined) throw new Error("The database runs on another machine");
  return () => {
    const all = new Map<number, Used>();
    for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
      const used = usedBy(name);
      if (used !== undefined) all.set(Number(name), used);
    }
    return {
      service_ms: sumBelow(all, pid, postmaster),
      database_ms: sumBelow(all, postmaster),
    };
  };
}
