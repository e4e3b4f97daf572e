/** The loop that does the background work. */
// docs/operating.md#what-to-watch

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import pino from "pino";
import { Registry } from "prom-client";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { createOutgoing } from "../../src/platform/outgoing/outgoing.ts";
import { startWorker } from "../../src/service/worker.ts";
import { migratedDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd, openPools } from "../kit/started.ts";

test("a background task that keeps failing does not prevent the other tasks", async (t) => {
  const { sql, url } = await migratedDatabase(t);
  // Without this table, the first task of each round fails.
  await sql`drop table renames`;
  await sql`insert into wrong_attempts (target, address, at) values ('x', '192.0.2.1', '2020-01-01')`;
  const register = new Registry();
  const logged: string[] = [];
  const worker = await startWorker({
    db: openPools(t, { url, connections: 1, listTimeout_ms: 10_000 }),
    clock: systemClock(),
    log: pino({ level: "warn" }, { write: (line: string) => void logged.push(line) }),
    config: { deliveryRetention_days: 30 },
    keys: { all: [randomBytes(32)] },
    outgoing: createOutgoing({ allow: [] }),
    register,
  });
  atEnd(t, () => worker.stop());
  const valueOf = async (line: RegExp) => Number(line.exec(await register.metrics())?.[1] ?? 0);
  await eventually(() => valueOf(/^leadport_background_failures_total (\d+)/m));
  assert.equal((await sql`select from wrong_attempts`).length, 0);
  assert.equal(
    await valueOf(/^leadport_background_work_total{work="purge_wrong_attempts"} (\d+)/m),
    1,
  );
  assert.match(logged.join(""), /"work":"follow_rename","msg":"Background work failed/);
});
