/** Runs the exchange's deliveries in a separate process on a short schedule, for tests that kill the process. */

import { pathToFileURL } from "node:url";
import pino from "pino";
import { startDeliveries } from "../../../src/delivery/index.ts";
import { LEAD_IMPORTED, leadImportedTopic } from "../../../src/exchange/review/index.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { connect } from "../../../src/platform/database/db.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { createOutgoing } from "../../../src/platform/outgoing/outgoing.ts";
import { createSealer } from "../../../src/platform/secrets/sealing.ts";

/**
 * Delays between attempts. Together, they last longer than any fault, including the periods in which the endpoint does
 * not listen.
 */
const GAPS_s = [0, 0.2, 0.2, 0.5, 0.5, 0.5, ...Array.from({ length: 24 }, () => 1)];

function main([url = "", key = ""]: readonly string[]): void {
  const clock = systemClock();
  const makeId = idSource(clock);
  const { sql } = connect({ url, connections: 8, listTimeout_ms: 5000 });
  const sealer = createSealer({ all: [Buffer.from(key, "base64")] });
  startDeliveries({
    sql,
    clock,
    makeId,
    log: pino({ level: "silent" }),
    outgoing: createOutgoing({ allow: ["127.0.0.1"] }),
    gaps_s: GAPS_s,
    topics: { [LEAD_IMPORTED]: leadImportedTopic({ clock, makeId, sealer }) },
  });
  console.log("ready");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2));
