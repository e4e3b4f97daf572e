/** Two serving processes and a worker are upgraded over two releases while requests are sent: docs/upgrading.md. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { openBalancer } from "../../bench/upgrade/balancer.ts";
import { endAll, runCommand, startProcess } from "../../bench/upgrade/processes.ts";
import { laterReleases, thisRelease } from "../../bench/upgrade/releases.ts";
import {
  backfill,
  migrate,
  restartServing,
  restartWorker,
  startAll,
  takeOut,
  upgrade,
} from "../../bench/upgrade/steps.ts";
import { startTraffic } from "../../bench/upgrade/traffic.ts";
import { testDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd } from "../kit/started.ts";
import { folder } from "../running/leadport.ts";

const ROWS = 2_000;
const BATCH = 500;

/** Returns an installation of this release with leads, to which requests are sent. */
async function installed(t: TestContext) {
  const { url: databaseUrl, sql } = await testDatabase(t);
  const env = {
    DATA_DIR: folder(t),
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    RATE_LIMIT: "off",
    OUTGOING_ALLOW: "127.0.0.1",
    // A second signal ends it.
    SHUTDOWN_DRAIN_S: "300",
  };
  atEnd(t, endAll);
  const first = thisRelease();
  await runCommand(first, ["migrate"], env);
  const token = (await runCommand(first, ["tenant", "create", "Acme"], env)).trim();
  const balancer = await openBalancer();
  atEnd(t, balancer.close);
  const started = await startAll(first, { env, balancer });
  const traffic = await startTraffic({ url: () => balancer.url, token, isPatient: false, rate: 5 });
  const { client } = traffic;
  for (let from = 0; from < ROWS; from += BATCH) {
    const items = Array.from({ length: BATCH }, (_, n) => ({ name: `${from + n}` }));
    await client.ask({ method: "POST", path: "/crm/leads/batch", body: { items } });
  }
  return {
    installation: { databaseUrl, env, balancer, client, ...started, endsDrain: true },
    releases: { first, ...laterReleases(folder(t)) },
    traffic,
    sql,
  };
}

test("an upgrade over two releases fails no request, loses nothing, and can be undone before the second", async (t) => {
  const { installation, releases, traffic, sql } = await installed(t);
  const { client, env, balancer } = installation;
  const { first, next, later } = releases;
  await migrate(next, installation);
  await restartServing(next, installation);

  // The previous release serves again, and writes rows without the new column.
  const old = await startProcess(first, "serve", env);
  await balancer.add(old.url);
  await restartWorker(next, installation);
  const filling = backfill(installation);
  await eventually(
    async () => (await sql`select from backfills where pass > 1`).length,
    (passes) => passes === 1,
  );
  await takeOut(old, installation);
  const { rows, wrong } = await filling;
  assert.ok(rows > ROWS);
  assert.equal(wrong, 0);

  await upgrade(later, installation);
  await assert.rejects(
    startProcess(first, "serve", env),
    /needs a program with schema version \d+ or later, but this one has version \d+: [^\n]*Going back/,
  );
  const { writes, ...lost } = await traffic.stop();
  assert.deepEqual(client.failures, []);
  assert.ok(writes > 0);
  assert.deepEqual(
    { ...lost, repeatedEvents: 0 },
    { missedChanges: 0, repeatedChanges: 0, missedEvents: 0, repeatedEvents: 0 },
  );
});
