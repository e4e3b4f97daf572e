/** How long the service takes from running the command until it is ready: with a new data folder, and with data. */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headText, ms, rowText } from "../compare/results.ts";
import { filled } from "../loads/fill.ts";
import { FILLED_OPTIONS, placeOf, type Benchmark } from "../options.ts";
import { startService } from "../service/service.ts";
import { median } from "../statistics.ts";

const FIRST_MAX_ms = 5000;
const LATER_MAX_ms = 2000;
const TIMES = 5;

async function startIn_ms(dataDir: string): Promise<number> {
  const from_ms = performance.now();
  const service = await startService(dataDir);
  const took_ms = performance.now() - from_ms;
  await service.stop();
  return took_ms;
}

/** Starts the service in each folder in turn, and prints a row. Returns whether the median is below the target. */
async function measure(what: string, folders: readonly string[], max_ms: number): Promise<boolean> {
  const took: number[] = [];
  for (const folder of folders) took.push(await startIn_ms(folder));
  const middle_ms = median(took);
  const mark = middle_ms < max_ms ? "" : " **over**";
  console.log(rowText([what, ms(middle_ms) + mark, took.map(ms).join(", "), max_ms]));
  return middle_ms < max_ms;
}

export const start: Benchmark = {
  does: "Time of the first start in a new data folder, and of later starts",
  options: FILLED_OPTIONS,
  run: async (values) => {
    const { rows, dataDir } = placeOf(values);
    await filled(dataDir, rows);
    const folder = mkdtempSync(join(tmpdir(), "leadport-bench-"));
    // If root runs the benchmark, the database runs as another user, who needs access to the folder.
    chmodSync(folder, 0o711);
    const fresh = Array.from({ length: TIMES }, (_, at) => join(folder, String(at)));
    try {
      console.log(headText("start", "median, ms", "each run, ms", "target, ms"));
      const isFirstMet = await measure("new data folder", fresh, FIRST_MAX_ms);
      const again = Array.from({ length: TIMES }, () => dataDir);
      const what = `data folder with ${rows.toLocaleString("en")} leads`;
      const isLaterMet = await measure(what, again, LATER_MAX_ms);
      return isFirstMet && isLaterMet;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
