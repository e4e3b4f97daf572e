/**
 * Measures how long `leadport demo` takes to create and remove sample data while a service is running: `npm run
 * bench:demo -- --help`. Exits with 1 if a limit is exceeded.
 */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secondsOf } from "./command.ts";
import { machineOf } from "./machine.ts";
import { numberOf, parseOptions } from "./options.ts";
import { startService } from "./service.ts";

const FILL_BAR_s = 30;
const REMOVE_BAR_s = 10;

const leads = parseOptions(
  {
    usage: "npm run bench:demo -- [options]",
    does: "How long it takes to create and remove demo data.",
    known: { leads: { value: "<number>", fallback: "2000", doc: "About how many leads." } },
  },
  (values) => numberOf(values, "leads"),
);
const dataDir = mkdtempSync(join(tmpdir(), "leadport-bench-demo-"));
// If root runs this script, the database runs as another user, so that user needs access to the folder.
chmodSync(dataDir, 0o711);

const seconds = (...args: readonly string[]) => secondsOf(["demo", ...args], dataDir);

function show(what: string, took_s: number, bar_s: number): boolean {
  const mark = took_s < bar_s ? "" : " **over**";
  console.log(`| ${what} | ${took_s.toFixed(1)}${mark} | ${bar_s} |`);
  return took_s < bar_s;
}

const service = await startService(dataDir);
try {
  console.log(`${await machineOf(service)}.\n`);
  console.log("| command | time, s | target, s |\n|---|---:|---:|");
  const filled = show(
    `demo, ${leads.toLocaleString("en")} leads`,
    await seconds("--leads", String(leads)),
    FILL_BAR_s,
  );
  const removed = show("demo --remove", await seconds("--remove"), REMOVE_BAR_s);
  process.exitCode = filled && removed ? 0 : 1;
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
