/**
 * Measures how soon an event arrives after its change has committed, and how many events per second one worker process
 * sends. Covers the whole path from the change log to a receiver on this machine. The service's own database is used,
 * with fsync on.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { createTenant } from "../src/access/index.ts";
import { SERVICE, type Scope } from "../src/audit/index.ts";
import { createWebhook } from "../src/events/webhooks.ts";
import { attributionHook } from "../src/exchange/index.ts";
import { systemClock } from "../src/platform/clock/clock.ts";
import { connect, transaction, type Database } from "../src/platform/database/db.ts";
import { type Db } from "../src/platform/database/tx.ts";
import { startEmbedded } from "../src/platform/embedded/index.ts";
import { idSource } from "../src/platform/clock/ids.ts";
import { migrate } from "../src/platform/database/migrate.ts";
import { createOutgoing } from "../src/platform/outgoing/outgoing.ts";
import { createSealer } from "../src/platform/secrets/sealing.ts";
import { createDrafts, draftOf, RECORD_TYPES } from "../src/records/index.ts";
import { startWorker } from "../src/service/worker.ts";
import { head, ms, row } from "./exchange-table.ts";
import { numberOf, readOptions } from "./options.ts";
import { median, quantile } from "./service.ts";

const clock = systemClock();
const makeId = idSource(clock);
const log = pino({ level: "warn" });
const keys = { all: [Buffer.alloc(32, 7)] };
const sealer = createSealer(keys);
const deps = { clock, makeId, sealer };

/** Runs the worker, in a separate process. */
async function work(url: string): Promise<void> {
  const db = connect({ url, connections: 10, listTimeout_ms: 10_000 });
  const outgoing = createOutgoing({ allow: ["127.0.0.1"] });
  await startWorker({ db, clock, log, keys, outgoing, config: { deliveryRetention_days: 30 } });
}

/** Returns a tenant whose lead events are sent to a receiver. */
async function subscribedTenant({ sql }: Database, target: string): Promise<Scope<Db>> {
  const { tenant } = await createTenant(sql, deps, { name: `Tenant ${makeId()}` });
  const scope = { db: sql, tenantId: tenant.id, actor: SERVICE };
  const settings = { url: target, events: ["lead.created"], filter: null, description: null };
  const begun = { settings: { ...settings, enabled: true }, position: 0 };
  await createWebhook({ ...scope, owner: null }, deps, begun);
  return scope;
}

async function makeLeads(db: Database, scope: Scope<Db>, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, at) => ({
    draft: draftOf(
      RECORD_TYPES.lead,
      { name: `Ada Example ${at}`, email: "ada@example.com" },
      "US",
    ),
    ssn: undefined,
  }));
  const person = { id: makeId(), name: "Bench" };
  const author = { person, country: "US" } as const;
  const writing = { db, ...deps, onCreation: attributionHook };
  await transaction(scope.db, (tx) =>
    createDrafts(
      { scope: { ...scope, db: tx }, deps: writing, author, type: RECORD_TYPES.lead },
      drafts,
    ),
  );
}

const LOOKS = 50;

async function measure(url: string, events: number): Promise<void> {
  const db = connect({ url, connections: 10, listTimeout_ms: 10_000 });
  let arrived = 0;
  let [wanted, reached] = [0, () => {}];
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(204).end();
      if (++arrived === wanted) reached();
    });
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const all = (count: number): Promise<void> =>
    new Promise((resolve) => ([arrived, wanted, reached] = [0, count, resolve]));
  const worker = fork(import.meta.filename, ["--work", url]);
  const tenants = await Promise.all(Array.from({ length: 20 }, () => subscribedTenant(db, target)));
  const [first] = tenants as [Scope<Db>];
  await sleep(1000);
  const took_ms: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const there = all(1);
    await makeLeads(db, first, 1);
    const begun_ms = performance.now();
    await there;
    took_ms.push(performance.now() - begun_ms);
    await sleep(20 + ((look * 37) % 200));
  }
  head("From commit to event, idle receiver", "median, ms", "p99, ms");
  row([ms(median(took_ms)), ms(quantile(took_ms, 0.99))]);
  head("One worker process", "tenants", "events/s");
  for (const scopes of [[first], tenants]) {
    const share = Math.ceil(events / scopes.length);
    const there = all(share * scopes.length);
    for (const scope of scopes) await makeLeads(db, scope, share);
    const begun_ms = performance.now();
    await there;
    row([
      scopes.length,
      Math.round((share * scopes.length * 1000) / (performance.now() - begun_ms)),
    ]);
  }
  worker.kill("SIGKILL");
  await once(worker, "exit");
  receiver.close();
  receiver.closeAllConnections();
  await db.close();
}

async function main(): Promise<void> {
  const { values } = readOptions(
    "bench:events",
    "The delay and throughput of event webhooks with one worker process.",
    {
      events: { value: "<number>", fallback: "2000", doc: "Events per measurement." },
    },
  );
  const folder = await mkdtemp(join(tmpdir(), "leadport-events-"));
  await chmod(folder, 0o711);
  const { url, stop } = await startEmbedded({ dataDir: join(folder, "data"), connections: 40 });
  try {
    await migrate(url);
    await measure(url, numberOf(values, "events"));
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const [mode, url = ""] = process.argv.slice(2);
if (mode === "--work") await work(url);
else await main();
