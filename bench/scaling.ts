/**
 * Measures how much faster two processes read pages and create leads than one process, alternating between the two
 * setups.
 */

import { openArena } from "./arena.ts";
import type { Shown } from "./compare.ts";
import { loop } from "./load.ts";
import { CLOSED_LOADS, groundOf } from "./loads.ts";
import { median } from "./service.ts";

const CONNECTIONS = 16;
const LOADS = ["W1", "W4"];
const TURNS = 3;

export async function compareProcesses(
  dataDir: string,
  { rows, for_s }: { readonly rows: number; readonly for_s: number },
): Promise<readonly Shown[]> {
  const rates = new Map<string, number[]>();
  for (const processes of [1, 2, 2, 1]) {
    const arena = await openArena(dataDir, { processes });
    try {
      const ground = await groundOf(arena.service, arena.sql, { rows, ...arena });
      for (const load of CLOSED_LOADS.filter(({ name }) => LOADS.includes(name))) {
        const arm = arena.serviceArm(load.ask(ground), load.isPartners);
        await loop(arm, { connections: CONNECTIONS, for_s: 1 });
        for (let turn = 0; turn < TURNS; turn++) {
          const { rate } = await loop(arm, { connections: CONNECTIONS, for_s });
          const key = `${load.name} ${processes}`;
          rates.set(key, [...(rates.get(key) ?? []), rate]);
        }
      }
    } finally {
      await arena.stop();
    }
  }
  const of = (name: string, processes: number): number =>
    median(rates.get(`${name} ${processes}`) ?? []);
  return LOADS.map((name) => ({
    name: `${name} × 2`,
    what: "two processes compared with one, on the same cores as the database and the load generator",
    bar: "",
    ratio: of(name, 2) / of(name, 1),
    isMet: true,
    own: `${Math.round(of(name, 1))}/s, then ${Math.round(of(name, 2))}/s`,
    beside: "",
  }));
}
