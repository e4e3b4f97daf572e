/**
 * Measures a physical backup, its verification and its restore, and how much the backup slows down concurrent requests.
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
      doc: "How long requests are measured without a backup, before and after.",
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
  readonly took_s: number;
  readonly quiet: readonly Turn[];
  readonly during: readonly Turn[];
}

async function whileBackedUp(arena: Arena, next: () => Ask): Promise<Measured> {
  const arm = arena.serviceArm(next);
  const turn = { connections: CONNECTIONS, rate };
  await loop(arm, { ...turn, for_s: WARM_UP_s });
  const before = await loop(arm, { ...turn, for_s });
  let isRunning = true;
  const end = (): void => void (isRunning = false);
  const backingUp = secondsOf(["backup", backup], dataDir);
  backingUp.then(end, end);
  const during: Turn[] = [];
  while (isRunning) during.push(await loop(arm, { ...turn, for_s: SLICE_s }));
  const took_s = await backingUp;
  const after = await loop(arm, { ...turn, for_s });
  return { took_s, quiet: [before, after], during };
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
// A backup contains neither the master key nor the owner's token.
const copy = (name: string): void => copyFileSync(join(dataDir, name), join(restored, name));
mkdirSync(restored, { mode: 0o711 });
copy("master-key");
const restore_s = await secondsOf(["restore", backup], restored);
copy("owner-token");
const service = await startService(restored);
await service.stop();

const speed = (seconds: number): string =>
  `${seconds.toFixed(0)} s, ${((GB * 1000) / seconds).toFixed(0)} MB/s`;
console.log(`
| what | measured |
| --- | --- |
| backup of ${GB.toFixed(1)} GB, while requests run | ${speed(measured.took_s)} |
| verification | ${speed(verify_s)} |
| restore | ${speed(restore_s)} |
| first start after the restore | ${(service.startedIn_ms / 1000).toFixed(1)} s |
| ${rate} requests per second without a backup | ${figures(measured.quiet)} |
| ${rate} requests per second during the backup | ${figures(measured.during)} |`);
for (const folder of [backup, restored]) rmSync(folder, { recursive: true, force: true });
