/** Compares the service with the limit of its stack: each workload is sent alternately to it and to a bare server. */

import { filled } from "../loads/fill.ts";
import { CLOSED_LOADS, groundOf } from "../loads/requests.ts";
import { FILLED_OPTIONS, isDefault, namesOf, placeOf, type Benchmark } from "../options.ts";
import { machineOf } from "../service/machine.ts";
import { openArena, type Arena } from "./arena.ts";
import { compareImports } from "./imports.ts";
import { compareMixed } from "./mixed.ts";
import { headText, publish } from "./results.ts";
import { pairedRounds, shown, shownText, type Shown } from "./rounds.ts";
import { compareWindows } from "./windows.ts";

const WHOLE = { rounds: 3, for_s: 10, imported: 100_000, importRounds: 3, mixed_s: 300 };
const QUICK = { rounds: 2, for_s: 1, imported: 5000, importRounds: 1, mixed_s: 5 };
const QUICK_ROWS = 100_000;
const CONNECTIONS = 16;

const NAMES = [...CLOSED_LOADS.map(({ name }) => name), "W7", "W8", "mixed"];
const HEAD = headText(
  "workload",
  "description",
  "target",
  "measured (range)",
  "result",
  "Leadport",
  "bare server",
);

/** Runs the workloads with these names. Reports each result as soon as it is measured. */
async function compareAll(
  arena: Arena,
  { rows, names, isQuick }: { rows: number; names: readonly string[]; isQuick: boolean },
  report: (results: readonly Shown[]) => void,
): Promise<void> {
  const { rounds, for_s, imported, importRounds, mixed_s } = isQuick ? QUICK : WHOLE;
  const ground = await groundOf(arena.service, arena.database, { rows, ...arena });
  for (const load of CLOSED_LOADS.filter(({ name }) => names.includes(name))) {
    const beside = load.beside(ground);
    // Otherwise, pending vacuums and disk writes of the previous workload would slow this one down.
    await arena.tidy();
    const pair = await pairedRounds(
      arena.serviceArm(load.ask(ground), load.isPartners),
      load.comparesRequests ? arena.serviceArm(beside) : arena.bareArm(beside),
      { connections: CONNECTIONS, for_s: for_s * (isQuick ? 1 : (load.turns ?? 1)), rounds },
    );
    report([shown(load, pair)]);
  }
  const windows = isQuick ? [rows / 10, rows] : [Math.min(rows, 100_000), rows];
  if (names.includes("W7")) report(await compareWindows(arena, windows, rounds));
  if (names.includes("W8")) report(await compareImports(arena, imported, importRounds));
  if (names.includes("mixed")) report(await compareMixed(arena, ground, mixed_s));
}

export const compare: Benchmark = {
  does: "Requests per second of W1 to W10, compared with a bare server on the same tables",
  options: {
    ...FILLED_OPTIONS,
    only: { value: "<names>", fallback: "", doc: `Only these: ${NAMES.join(",")}.` },
    quick: { value: "", fallback: "", doc: "Under 3 minutes, on 100,000 leads: less exact." },
  },
  run: async (values) => {
    const names = namesOf(values, NAMES);
    const isQuick = values["quick"] === "true";
    const asked = placeOf(values).rows;
    const { rows, dataDir } = placeOf(values, isQuick ? Math.min(asked, QUICK_ROWS) : asked);
    await filled(dataDir, rows);
    const arena = await openArena(dataDir);
    try {
      const machine = await machineOf(arena.service);
      console.log(`${machine}.\n\n${HEAD}`);
      const all: Shown[] = [];
      await compareAll(arena, { rows, names, isQuick }, (results) => {
        for (const one of results) console.log(shownText(one));
        all.push(...results);
      });
      const table = [HEAD, ...all.map(shownText)].join("\n");
      if (isDefault(compare.options, values)) publish("npm run bench -- compare", machine, table);
      return all.every(({ isMet }) => isMet);
    } finally {
      await arena.stop();
    }
  },
};
