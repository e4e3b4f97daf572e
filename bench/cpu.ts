/**
 * The processor time of a service, in all its processes, and of its database: what a request costs,
 * however busy the machine is with other work. Linux alone.
 */

import { readdirSync, readFileSync } from "node:fs";
import postgres from "postgres";
import type { Service } from "./service.ts";

/** Of the kernel's clock ticks, 100 a second on every Linux that Node runs on. */
const TICK_ms = 10;

interface Used {
  readonly parent: number;
  readonly ms: number;
}

/** The parent of a process, and the time it has used; undefined where it is gone. */
function usedBy(pid: string | number): Used | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may hold blanks.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), ms: (Number(rest[9]) + Number(rest[10])) * TICK_ms };
  } catch {
    return undefined;
  }
}

export interface Cpu {
  /** What the service has used so far, and what its database has. */
  readonly service_ms: number;
  readonly database_ms: number;
}

const sumOf = (all: readonly (Used | undefined)[]): number =>
  all.reduce((sum, used) => sum + (used?.ms ?? 0), 0);

/** A meter of a service that runs. */
export async function cpuMeterOf({ pids, databaseUrl }: Service): Promise<() => Cpu> {
  const sql = postgres(databaseUrl, { max: 1 });
  const [row] = await sql`select pg_backend_pid() as pid`;
  const postmaster = usedBy(Number(row?.["pid"]))?.parent;
  await sql.end();
  return () => {
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const backends = all.map(usedBy).filter((used) => used?.parent === postmaster);
    return {
      service_ms: sumOf(pids.map(usedBy)),
      database_ms: sumOf(backends),
    };
  };
}
