/** Measures whether requests get slower as a tenant grows: the same loads on test data of several sizes. */

import { openArena, type Arena } from "./arena.ts";
import type { Shown } from "./compare.ts";
import { filled } from "./fill.ts";
import { loop, type Arm } from "./load.ts";
import { CLOSED_LOADS, groundOf, type Ground } from "./loads.ts";
import { folderOf } from "./options.ts";
import { median } from "./service.ts";

const BAR = 1.3;
const CONNECTIONS = 16;
const LOADS = ["W1", "W2", "W3", "W4", "W5", "W6"];

/** The services run at the same time and take turns, so that other work on the machine affects all of them. */
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
      for (const arm of arms) await loop(arm, { connections: CONNECTIONS, for_s: 1 });
      for (let round = 0; round < rounds; round++) {
        for (const [at, arm] of arms.entries()) {
          rates[at]?.push((await loop(arm, { connections: CONNECTIONS, for_s })).rate);
        }
      }
      shown.push(told(load.name, sizes, rates));
    }
    return shown;
  } finally {
    for (const arena of arenas) await arena.stop();
  }
}

function told(
  name: string,
  sizes: readonly number[],
  rates: readonly (readonly number[])[],
): Shown {
  const [smallest = [], largest = []] = [rates[0], rates.at(-1)];
  const ratios = smallest.map((rate, at) => rate / (largest[at] ?? Number.NaN));
  const of = (at: number): string =>
    `${(sizes[at] ?? 0).toLocaleString("en")}: ${Math.round(median(rates[at] ?? []))}/s`;
  return {
    name: `${name} growth`,
    what: `times slower at ${(sizes.at(-1) ?? 0).toLocaleString("en")} leads`,
    bar: `≤ ${BAR.toFixed(2)}`,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    isMet: median(ratios) <= BAR,
    own: sizes.map((_, at) => of(at)).join(" · "),
    beside: "",
  };
}
