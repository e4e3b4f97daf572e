/**
 * Measures the memory of a serving process: `npm run bench:memory -- --help`. The phases follow each other in one
 * process, so that each includes what the process has kept from the phases before.
 */

import { openArena } from "./arena.ts";
import { head, row } from "./exchange-table.ts";
import { filled } from "./fill.ts";
import { fileOf, importOf } from "./imports.ts";
import { loop, type Ask } from "./load.ts";
import { CLOSED_LOADS, groundOf } from "./loads.ts";
import { mixOf } from "./mixed.ts";
import { numberOf, readOptions } from "./options.ts";
import { forgetPeak, memoryOf } from "./service.ts";

const CONNECTIONS = 16;

const { rows, dataDir, values } = readOptions(
  "bench:memory",
  "The memory of a serving process while it serves lists, a mix of requests and imports.",
  {
    seconds: { value: "<number>", fallback: "60", doc: "Duration of each phase." },
    imported: { value: "<number>", fallback: "100000", doc: "Rows of the imported files." },
  },
);
const [for_s, imported] = [numberOf(values, "seconds"), numberOf(values, "imported")];

await filled(dataDir, rows);
const arena = await openArena(dataDir);
try {
  const { service } = arena;
  const ground = await groundOf(service, arena.sql, { rows, ...arena });
  const mix = await mixOf(arena, ground);
  const list = CLOSED_LOADS.find(({ name }) => name === "W1")?.ask(ground);
  if (list === undefined) throw new Error("There is no W1");
  const serve = (next: () => Ask) => () =>
    loop(arena.serviceArm(next), { connections: CONNECTIONS, for_s });
  const phases: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["lists (W1)", serve(list)],
    ["70% lists, 25% writes, 5% time windows of 1,000 records", serve(mix.ask)],
    ...(["csv", "ndjson"] as const).map(
      (format, at) =>
        [
          `import of ${imported} leads, ${format}`,
          () => importOf(service, fileOf(format, imported, at), imported),
        ] as const,
    ),
  ];
  head(`${CONNECTIONS} connections`, "phase", "peak, MB", "at the end, MB");
  for (const [phase, run] of phases) {
    forgetPeak(service);
    await run();
    const { peak_MB, now_MB } = memoryOf(service);
    row([phase, peak_MB.toFixed(0), now_MB.toFixed(0)]);
  }
} finally {
  await arena.stop();
}
