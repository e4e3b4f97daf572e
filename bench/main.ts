/**
 * Compares the service with the limit of its stack: `npm run bench -- --help`. Sends each workload alternately to the
 * service and to a bare server. Prints a table, stores it in bench/results/, and puts it into bench/README.md if that
 * file has a placeholder for the command. Exits with 1 if a target is missed.
 */

import { openArena, type Arena } from "./arena.ts";
import { pairedRounds, shown, type Shown } from "./compare.ts";
import { explainAll } from "./explain-all.ts";
import { filled } from "./fill.ts";
import { compareSizes } from "./growth.ts";
import { compareImports } from "./imports.ts";
import { CLOSED_LOADS, groundOf } from "./loads.ts";
import { machineOf } from "./machine.ts";
import { compareMixed } from "./mixed.ts";
import { folderOf, numberOf, readOptions } from "./options.ts";
import { HEAD, keep, publish, rowText } from "./results.ts";
import { compareProcesses } from "./scaling.ts";
import { compareStarts } from "./starts.ts";
import { startExternal } from "./external.ts";
import { compareFirstWindows, compareWindows } from "./windows.ts";

interface Extent {
  readonly rounds: number;
  readonly for_s: number;
  readonly windows: readonly number[];
  readonly imported: number;
  readonly importRounds: number;
  /** The number of leads in the large test data set. Its results are compared with those for 10,000 leads. */
  readonly grown: number;
  readonly mixed_s: number;
}

const WHOLE: Omit<Extent, "windows"> = {
  ...{ rounds: 3, for_s: 10, imported: 100_000, importRounds: 3 },
  ...{ grown: 5_000_000, mixed_s: 300 },
};
const QUICK: Omit<Extent, "windows"> = {
  ...{ rounds: 2, for_s: 1, imported: 5000, importRounds: 1 },
  ...{ grown: 100_000, mixed_s: 5 },
};
const QUICK_ROWS = 100_000;
const CONNECTIONS = 16;

const { rows: asked, values } = readOptions(
  "bench",
  "Requests a second of the service, compared with a bare server on the same tables.",
  {
    only: {
      value: "<names>",
      fallback: "",
      doc: "Only these: W1 … W10, mixed, start, processes, growth, such as W1,W10. growth runs only if named here.",
    },
    growth: {
      value: "<number>",
      fallback: "",
      doc: "The leads that growth compares with 10,000. Default: 5,000,000, with --quick 100,000.",
    },
    explain: {
      value: "",
      fallback: "",
      doc: "Print the plan of every statement of the requests instead.",
    },
    database: {
      value: "<which>",
      fallback: "embedded",
      doc: "embedded, or external: with default settings; without start, processes and growth.",
    },
    quick: {
      value: "",
      fallback: "",
      doc: "Under 3 minutes, on 100,000 leads and without processes: less exact.",
    },
  },
);
const isQuick = values["quick"] === "true";
const rows = isQuick ? Math.min(asked, QUICK_ROWS) : asked;
const isExternal = values["database"] === "external";
const dataDir = values["data"] || folderOf(`${rows}${isExternal ? "-external" : ""}`);
const extent: Extent = {
  ...(isQuick ? QUICK : WHOLE),
  windows: isQuick ? [rows / 10, rows] : [100_000, rows],
};
const only = values["only"] ?? "";
const names = new Set(only.split(","));
const isAsked = (name: string): boolean => only === "" || names.has(name);
const OTHERS = new Set(["start", "processes", "growth"]);
const KNOWN = new Set([...CLOSED_LOADS.map(({ name }) => name), "W7", "W8", "mixed", ...OTHERS]);

const unknown = only === "" ? undefined : [...names].find((name) => !KNOWN.has(name));
if (unknown !== undefined)
  refuse(`There is no workload ${unknown}: --only takes ${[...KNOWN].join(", ")}`);
if (!["embedded", "external"].includes(values["database"] ?? "")) {
  refuse(`--database is embedded or external, not ${values["database"]}`);
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}

const all: Shown[] = [];
const tell = (more: readonly Shown[]): void => {
  for (const one of more) console.log(rowText(one));
  all.push(...more);
};

async function closedLoads(arena: Arena): Promise<void> {
  const ground = await groundOf(arena.service, arena.sql, { rows, ...arena });
  for (const load of CLOSED_LOADS.filter(
    ({ name }) => isAsked(name) || isAsked(name.replace(/[ncf]$/, "")),
  )) {
    const beside = load.beside(ground);
    // Otherwise, pending vacuums and disk writes of the previous workload would slow this one down.
    await arena.tidy();
    const pair = await pairedRounds(
      arena.serviceArm(load.ask(ground), load.isPartners),
      load.comparesRequests ? arena.serviceArm(beside) : arena.bareArm(beside),
      {
        connections: CONNECTIONS,
        for_s: extent.for_s * (isQuick ? 1 : (load.turns ?? 1)),
        rounds: extent.rounds,
      },
    );
    tell([shown(load, pair)]);
  }
  if (isAsked("W7")) tell(await compareWindows(arena, extent.windows, extent.rounds));
  if (isAsked("W8")) tell(await compareImports(arena, extent.imported, extent.importRounds));
  if (isAsked("mixed")) tell(await compareMixed(arena, ground, extent.mixed_s));
}

/** Returns both servers, on the selected database. */
async function open(): Promise<Arena> {
  const external = isExternal ? await startExternal(`${dataDir}-postgres`) : undefined;
  const settings = external?.settings ?? {};
  await filled(dataDir, rows, settings);
  const arena = await openArena(dataDir, { settings });
  const stop = async (): Promise<void> => {
    await arena.stop();
    await external?.stop();
  };
  return { ...arena, stop };
}

if (values["explain"] === "true") {
  await filled(dataDir, rows);
  process.exit((await explainAll(dataDir, { rows })) ? 0 : 1);
}
const flags = [
  isQuick ? "--quick" : "",
  isExternal ? "--database external" : "",
  only === "" ? "" : `--only ${only}`,
].filter(Boolean);
const command = ["npm run bench", ...(flags.length > 0 ? ["--", ...flags] : [])].join(" ");
const arena = await open();
const machine = await machineOf(arena.service);
const run = { machine, command, shown: all };
let file = "";
try {
  console.log(`${machine}.\n\n${HEAD}`);
  try {
    if (![...names].every((name) => OTHERS.has(name))) await closedLoads(arena);
  } finally {
    await arena.stop();
  }
  if (isAsked("W7")) {
    tell(await compareFirstWindows(open, extent.windows[0] ?? rows, Math.min(extent.rounds, 3)));
  }
  if (isAsked("start") && !isExternal) tell(await compareStarts(dataDir));
  // This workload has no target, so a quick run skips it unless it was selected.
  if (names.has("processes") || (only === "" && !isQuick && !isExternal)) {
    tell(await compareProcesses(dataDir, { rows, for_s: extent.for_s }));
  }
  if (names.has("growth")) {
    const grown = values["growth"] ? numberOf(values, "growth") : extent.grown;
    tell(await compareSizes([10_000, grown], extent));
  }
} finally {
  // If a workload fails, the results so far are still stored.
  file = keep(run, new Date());
}
publish(run, file);
process.exitCode = all.every(({ isMet }) => isMet) ? 0 : 1;
