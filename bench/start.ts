/**
 * How long the service takes to start: `node bench/start.ts [filled data folder]`. First starts in new
 * folders, later starts in them, and in the filled one; from the call of the command to the first 200 of
 * /readyz. Ends with 1 where a bar is missed.
 */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, startService } from "./service.ts";

const FIRST_BAR_ms = 5000;
const LATER_BAR_ms = 2000;
const TIMES = 5;

async function startIn_ms(dataDir: string): Promise<number> {
  const service = await startService(dataDir);
  await service.stop();
  return service.startedIn_ms;
}

async function series(dataDir: string): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < TIMES; at++) took.push(await startIn_ms(dataDir));
  return took;
}

function tell(what: string, took: readonly number[], bar_ms: number): boolean {
  const all = took.map((ms) => ms.toFixed(0)).join(", ");
  console.log(`${what}: median ${median(took).toFixed(0)} ms of ${all} (bar ${bar_ms})`);
  return median(took) < bar_ms;
}

const [filled] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "leadport-bench-"));
// As root the database belongs to another user, who has to pass through.
chmodSync(folder, 0o711);
try {
  const first: number[] = [];
  for (let at = 0; at < TIMES; at++) first.push(await startIn_ms(join(folder, String(at))));
  const met = [
    tell("First start", first, FIRST_BAR_ms),
    tell("Later start", await series(join(folder, "0")), LATER_BAR_ms),
    filled === undefined || tell("Later start, filled", await series(filled), LATER_BAR_ms),
  ];
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
