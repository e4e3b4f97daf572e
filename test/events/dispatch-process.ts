/** Queues events in a separate process, for tests that kill it. Prints "ready" once it is running. */

import { pathToFileURL } from "node:url";
import pino from "pino";
import { createQueue } from "../../src/delivery/index.ts";
import { startDispatch } from "../../src/events/index.ts";
import { pushedLeadViews } from "../../src/exchange/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { connect } from "../../src/platform/database/db.ts";
import { createHorizon } from "../../src/audit/horizon.ts";
import { idSource } from "../../src/platform/ids/ids.ts";

function main([url = ""]: readonly string[]): void {
  const clock = systemClock();
  const db = connect({ url, connections: 4, listTimeout_ms: 5000 });
  startDispatch({
    db,
    clock,
    makeId: idSource(clock),
    queue: createQueue({ sql: db.sql, supervise: false, note: () => {} }),
    pushed: pushedLeadViews(clock),
    horizon: createHorizon(db.sql),
    log: pino({ level: "silent" }),
  });
  console.log("ready");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2));
