/** Measures whether requests get slower as a tenant grows: runs the same workloads on test data of several sizes. */

import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { openArena, type Arena } from "./arena.ts";
import type { Shown } from "./compare.ts";
import { filled } from "./fill.ts";
import { loop, type Arm } from "./load.ts";
import { CLOSED_LOADS, groundOf, type Ground } from "./loads.ts";
import { folderOf } from "./options.ts";
import { median } from "./service.ts";

const BAR = 1.3;
const CONNECTIONS = 16;
const WARM_UP_s = 5;
const LOADS = ["W1", "W2", "W3", "W4", "W5", "W6"];

/** Starts a service for each size. The services take turns, so that other work on the machine affects all of them. */
export async function compareSizes(
  sizes: readonly number[],
  { rounds, for_s }: { readonly rounds: number; readonly for_s: number },
): Promise<readonly Shown[]> {
  const arenas: Arena[] = [];
  try {
    const grounds: Ground[] = [];
    for (const rows of sizes) {
      const dataDir = folderOf(String(rows));
      await filled(dataDir, rows);
      const arena = await openArena(dataDir);
      arenas.push(arena);
      await readAll(arena.sql);
      grounds.push(await groundOf(arena.service, arena.sql, { rows, ...arena }));
    }
    const shown: Shown[] = [];
    for (const load of CLOSED_LOADS.filter(({ name }) => LOADS.includes(name))) {
      const arms = arenas.map((arena, at): Arm => {
        const ground = grounds[at];
        if (ground === undefined) throw new Error("No ground");
        return arena.serviceArm(load.ask(ground), load.isPartners);
      });
      const rates = arms.map((): number[] => []);
      const costs = arms.map((): Io[] => []);
      for (const arm of arms) await loop(arm, { connections: CONNECTIONS, for_s: WARM_UP_s });
      for (let round = 0; round < rounds; round++) {
        for (const [at, arm] of arms.entries()) {
          const arena = arenas[at] as Arena;
          const before = await ioOf(arena.sql);
          const { rate, took_ms } = await loop(arm, { connections: CONNECTIONS, for_s });
          rates[at]?.push(rate);
          costs[at]?.push(perRequest(before, await ioOf(arena.sql), took_ms.length));
        }
      }
      shown.push(told(load.name, sizes, { rates, costs }));
    }
    return shown;
  } finally {
    for (const arena of arenas) await arena.stop();
  }
}

/** Disk activity, in kB. */
interface Io {
  /** The amount read from disk into memory. */
  readonly read_kB: number;
  /** The amount written to the write-ahead log, including the full pages that PostgreSQL writes after a checkpoint. */
  readonly wal_kB: number;
}

async function ioOf(sql: postgres.Sql): Promise<Io> {
  const [row] = await sql<{ wal_kB: number }[]>`
    select (wal_bytes / 1000)::float8 as "wal_kB" from pg_stat_wal`;
  const [, read_kB = "0"] = /^pgpgin (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8")) ?? [];
  return { read_kB: Number(read_kB), wal_kB: row?.wal_kB ?? 0 };
}

const perRequest = (before: Io, after: Io, requests: number): Io => ({
  read_kB: (after.read_kB - before.read_kB) / requests,
  wal_kB: (after.wal_kB - before.wal_kB) / requests,
});

/** Reads the leads and then all indexes once, so that they are cached, as in a service that has run for a while. */
async function readAll(sql: postgres.Sql): Promise<void> {
  await sql`create extension if not exists pg_prewarm`;
  await sql`select pg_prewarm('leads', 'read')`;
  await sql`
    select pg_prewarm(c.oid, 'read') from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'i' and n.nspname = 'public'`;
}

interface Measured {
  readonly rates: readonly (readonly number[])[];
  readonly costs: readonly (readonly Io[])[];
}

function told(name: string, sizes: readonly number[], { rates, costs }: Measured): Shown {
  const [smallest = [], largest = []] = [rates[0], rates.at(-1)];
  const ratios = smallest.map((rate, at) => rate / (largest[at] ?? Number.NaN));
  const of = (at: number): string => {
    const [read_kB, wal_kB] = (["read_kB", "wal_kB"] as const).map((name) =>
      median((costs[at] ?? []).map((cost) => cost[name])).toFixed(1),
    );
    return `${(sizes[at] ?? 0).toLocaleString("en")}: ${Math.round(median(rates[at] ?? []))}/s, ${read_kB} kB read, ${wal_kB} kB WAL`;
  };
  return {
    name: `${name} growth`,
    what: `slowdown at ${(sizes.at(-1) ?? 0).toLocaleString("en")} leads`,
    bar: `≤ ${BAR.toFixed(2)}`,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    isMet: median(ratios) <= BAR,
    own: sizes.map((_, at) => of(at)).join(" · "),
    beside: "",
  };
}
