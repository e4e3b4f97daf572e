/** A worker as a separate process, for tests that kill it. Prints "ready" and works until SIGTERM. */

import { pathToFileURL } from "node:url";
import pino from "pino";
import { startDeliveries } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { connect } from "../../src/platform/database/db.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { TOPIC } from "./delivery-kit.ts";
import { plainOutgoing } from "./plain-outgoing.ts";
import { run } from "../../src/platform/database/index.ts";

async function main([url = "", target = "", timeout_s = ""]: readonly string[]): Promise<void> {
  const clock = systemClock();
  const { sql, close } = connect({ url, connections: 8, listTimeout_ms: 5000 });
  // Store one row per accepted delivery, so that the test can count the effects.
  await run(sql)`create table if not exists effects (delivery_id text not null)`.catch(
    () => undefined,
  );
  const loop = startDeliveries({
    sql,
    clock,
    makeId: idSource(clock),
    log: pino({ level: "silent" }),
    outgoing: plainOutgoing(),
    gaps_s: [0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
    topics: {
      [TOPIC]: {
        request: async (_scope, { subject_id }) => ({
          url: `${target}/${subject_id}`,
          method: "POST",
          headers: {},
          body: "{}",
          timeout_s: Number(timeout_s),
        }),
        onDelivered: async ({ db }, { id }) => {
          await run(db)`insert into effects values (${id})`;
        },
      },
    },
  });
  process.on("SIGTERM", () => {
    void loop
      .stop()
      .then(() => close())
      .then(() => process.exit(0));
  });
  console.log("ready");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(process.argv.slice(2));
}
