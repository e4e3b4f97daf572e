/**
 * Measures how long a physical backup, its verification and its restore take, and how much a backup slows down
 * concurrent requests.
 */

import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openArena, type Arena } from "./arena.ts";
import { secondsOf } from "./command.ts";
import { filled } from "./fill.ts";
import { loop, type Ask, type Turn } from "./load.ts";
import { groundOf } from "./loads.ts";
import { mixOf } from "./mixed.ts";
import { numberOf, readOptions } from "./options.ts";
import { quantile, startService } from "./service.ts";

const CONNECTIONS = 32;
const WARM_UP_s = 10;
const SLICE_s = 5;

const { rows, dataDir, values } = readOptions(
  "bench:backup",
  "Backs up, verifies and restores a data folder while the mixed load runs at a fixed rate. Needs four times its space.",
  {
    rate: { value: "<number>", fallback: "300", doc: "Requests per second." },
    for: {
      value: "<seconds>",
      fallback: "60",
      doc: "How long requests are measured without a backup, before, between and after the backups.",
    },
  },
);
const [rate, for_s] = [numberOf(values, "rate"), numberOf(values, "for")];
const [backup, restored] = [`${dataDir}-backup`, `${dataDir}-restored`];

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

interface Measured {
  readonly quiet: readonly Turn[];
  readonly backups: readonly {
    /** The value of BACKUP_MAX_RATE. */
    readonly max: string;
    readonly took_s: number;
    readonly during: readonly Turn[];
  }[];
}

/** The values of BACKUP_MAX_RATE to measure: no limit, and the default. */
const RATES = ["off", "100MB"] as const;

async function whileBackedUp(arena: Arena, next: () => Ask): Promise<Measured> {
  const arm = arena.serviceArm(next);
  const measure = (seconds: number) =>
    loop(arm, { connections: CONNECTIONS, rate, for_s: seconds });
  await measure(WARM_UP_s);
  const quiet = [await measure(for_s)];
  const backups = [];
  for (const max of RATES) {
    rmSync(backup, { recursive: true, force: true });
    let isRunning = true;
    const end = (): void => void (isRunning = false);
    const backingUp = secondsOf(["backup", backup], dataDir, { BACKUP_MAX_RATE: max });
    backingUp.then(end, end);
    const during: Turn[] = [];
    while (isRunning) during.push(await measure(SLICE_s));
    backups.push({ max, took_s: await backingUp, during });
    quiet.push(await measure(for_s));
  }
  return { quiet, backups };
}

const figures = (turns: readonly Turn[]): string => {
  const took_ms = turns.flatMap((turn) => turn.took_ms);
  const part = (of: number) => `${quantile(took_ms, of).toFixed(1)} ms`;
  return `p50 ${part(0.5)}, p99 ${part(0.99)}, slowest ${part(1)}, ${took_ms.length} requests`;
};

for (const folder of [backup, restored]) rmSync(folder, { recursive: true, force: true });
await filled(dataDir, rows);
const arena = await openArena(dataDir);
let measured: Measured;
try {
  const ground = await groundOf(arena.service, arena.sql, { rows, ...arena });
  measured = await whileBackedUp(arena, (await mixOf(arena, ground)).ask);
} finally {
  await arena.stop();
}
const GB = bytesIn(backup) / 1e9;
const verify_s = await secondsOf(["backup", "verify", backup], dataDir);
// A backup contains neither the master key nor the owner's token, so copy them.
const copy = (name: string): void => copyFileSync(join(dataDir, name), join(restored, name));
mkdirSync(restored, { mode: 0o711 });
copy("master-key");
const restore_s = await secondsOf(["restore", backup], restored);
copy("owner-token");
const service = await startService(restored);
await service.stop();

const speed = (seconds: number): string =>
  `${seconds.toFixed(0)} s, ${((GB * 1000) / seconds).toFixed(0)} MB/s`;
const copying = measured.backups.map(
  ({ max, took_s }) =>
    `| backup of ${GB.toFixed(1)} GB while requests run, BACKUP_MAX_RATE=${max} | ${speed(took_s)} |`,
);
const requests = measured.backups.map(
  ({ max, during }) =>
    `| ${rate} requests per second during a backup, BACKUP_MAX_RATE=${max} | ${figures(during)} |`,
);
console.log(
  [
    "",
    "| what | measured |",
    "| --- | --- |",
    ...copying,
    `| verification | ${speed(verify_s)} |`,
    `| restore | ${speed(restore_s)} |`,
    `| first start after the restore | ${(service.startedIn_ms / 1000).toFixed(1)} s |`,
    `| ${rate} requests per second without a backup | ${figures(measured.quiet)} |`,
    ...requests,
  ].join("\n"),
);
for (const folder of [backup, restored]) rmSync(folder, { recursive: true, force: true });
