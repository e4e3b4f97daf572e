/**
 * Measures how long the service takes to start: `npm run bench:start -- --help`. Covers the first start in a new
 * folder, later starts in such a folder, and later starts in a folder with data. The time is measured from running the
 * command until /readyz first returns 200. Exits with 1 if a target is missed.
 */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filled } from "./fill.ts";
import { machineOf } from "./machine.ts";
import { readOptions } from "./options.ts";
import { median, startService } from "./service.ts";

const FIRST_BAR_ms = 5000;
const LATER_BAR_ms = 2000;
const TIMES = 5;

async function startIn_ms(dataDir: string): Promise<number> {
  const service = await startService(dataDir);
  await service.stop();
  return service.startedIn_ms;
}

async function series(folders: readonly string[]): Promise<readonly number[]> {
  const took: number[] = [];
  for (const folder of folders) took.push(await startIn_ms(folder));
  return took;
}

async function tellMachine(dataDir: string): Promise<void> {
  const service = await startService(dataDir);
  console.log(`${await machineOf(service)}.\n`);
  await service.stop();
}

function tell(what: string, took: readonly number[], bar_ms: number): boolean {
  const middle_ms = median(took);
  const mark = middle_ms < bar_ms ? "" : " **over**";
  const all = took.map((ms) => ms.toFixed(0)).join(", ");
  console.log(`| ${what} | ${middle_ms.toFixed(0)}${mark} | ${all} | ${bar_ms} |`);
  return middle_ms < bar_ms;
}

const { rows, dataDir } = readOptions(
  "bench:start",
  "How long the service takes to start with new and with existing data. --rows 0 skips the start with many leads.",
);
if (rows > 0) await filled(dataDir, rows);
const folder = mkdtempSync(join(tmpdir(), "leadport-bench-"));
// If root runs this script, the database runs as another user, so that user needs access to the folder.
chmodSync(folder, 0o711);
const times = (of: (at: number) => string): string[] =>
  Array.from({ length: TIMES }, (_, at) => of(at));
try {
  const first = await series(times((at) => join(folder, String(at))));
  await tellMachine(join(folder, "0"));
  console.log("| start | median, ms | each run, ms | target, ms |\n|---|---:|---|---:|");
  const met = [
    tell("first start, new data folder", first, FIRST_BAR_ms),
    tell("existing data folder", await series(times(() => join(folder, "0"))), LATER_BAR_ms),
  ];
  if (rows > 0) {
    const took = await series(times(() => dataDir));
    met.push(
      tell(`existing data folder with ${rows.toLocaleString("en")} leads`, took, LATER_BAR_ms),
    );
  }
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
