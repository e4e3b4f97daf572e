/**
 * Measures how many deliveries per second one worker process sends to a receiver on this machine.
 * The deliveries are queued first. A worker in a separate process then signs and sends each of
 * them, and stores its attempt and outcome. The service's own database is used, with fsync on.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, chmod } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { createTenant } from "../src/access/index.ts";
import { SERVICE } from "../src/audit/index.ts";
import { createQueue, enqueue, startDeliveries } from "../src/delivery/index.ts";
import { systemClock } from "../src/platform/clock/clock.ts";
import { connect, transaction } from "../src/platform/database/db.ts";
import { startEmbedded } from "../src/platform/embedded/index.ts";
import { idSource } from "../src/platform/clock/ids.ts";
import { migrate } from "../src/platform/database/migrate.ts";
import { createOutgoing } from "../src/platform/outgoing/outgoing.ts";
import { head, row } from "./exchange-table.ts";
import { numberOf, readOptions } from "./options.ts";

const TOPIC = "bench.told";
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = JSON.stringify({ id: "x".repeat(24), name: "Ada Example", email: "ada@example.com" });

const clock = systemClock();
const makeId = idSource(clock);
const log = pino({ level: "warn" });

/** Runs the worker, in a separate process. */
function work(url: string, target: string): void {
  const { sql } = connect({ url, connections: 10, listTimeout_ms: 10_000 });
  const outgoing = createOutgoing({ allow: ["127.0.0.1"] });
  const headers = { "content-type": "application/json" };
  const base = { url: target, method: "POST", headers, body: BODY, timeout_s: 10 };
  const request = { ...base, secrets: [SECRET] };
  const topic = { request: async () => request, onDelivered: async () => {} };
  startDeliveries({ sql, clock, makeId, log, outgoing, topics: { [TOPIC]: topic } });
}

interface Load {
  readonly tenants: number;
  readonly deliveries: number;
  /** The receiver's response time. */
  readonly latency_ms: number;
}

/** Queues all deliveries, starts a worker, and returns how long the worker took. */
async function measure(url: string, { tenants, deliveries, latency_ms }: Load) {
  const { sql, close } = connect({ url, connections: 10, listTimeout_ms: 10_000 });
  const queue = createQueue({ sql, supervise: false, note: (error) => log.warn(error) });
  const scopes = await Promise.all(
    Array.from({ length: tenants }, async () => {
      const { tenant } = await createTenant(sql, { clock, makeId }, { name: `Tenant ${makeId()}` });
      return { db: sql, tenantId: tenant.id, actor: SERVICE };
    }),
  );
  const promiseOne = (at: number) => {
    const scope = scopes[at % tenants] as (typeof scopes)[number];
    const one = { topic: TOPIC, subject_id: String(at), timeout_s: 10 };
    return transaction(sql, (tx) => enqueue({ ...scope, db: tx }, { clock, makeId, queue }, one));
  };
  const begun_ms = performance.now();
  for (let at = 0; at < deliveries; at += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, more) => promiseOne(at + more)));
  }
  const promised_ms = performance.now() - begun_ms;
  const [first, all] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let taken = 0;
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => {
      setTimeout(() => response.writeHead(204).end(), latency_ms);
      if (++taken === 1) first.resolve(performance.now());
      if (taken === deliveries) all.resolve(performance.now());
    });
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { port } = receiver.address() as AddressInfo;
  const worker = fork(import.meta.filename, ["--work", url, `http://127.0.0.1:${port}/`]);
  const took_s = ((await all.promise) - (await first.promise)) / 1000;
  worker.kill("SIGKILL");
  await once(worker, "exit");
  receiver.close();
  receiver.closeAllConnections();
  await sql`truncate deliveries cascade`;
  await sql`truncate pgboss.job`;
  await queue.close();
  await close();
  return { perSecond: deliveries / took_s, promisedPerSecond: (deliveries / promised_ms) * 1000 };
}

async function main(): Promise<void> {
  const { values } = readOptions("bench:deliveries", "Deliveries a second of one worker process.", {
    deliveries: { value: "<number>", fallback: "3000", doc: "Deliveries per measurement." },
  });
  const deliveries = Math.ceil(numberOf(values, "deliveries") / 100) * 100;
  const folder = await mkdtemp(join(tmpdir(), "leadport-deliveries-"));
  await chmod(folder, 0o711);
  const { url, stop } = await startEmbedded({ dataDir: join(folder, "data"), connections: 40 });
  try {
    await migrate(url);
    head(
      "One worker process",
      "tenants",
      "receiver's response time, ms",
      "deliveries/s",
      "queued/s",
    );
    const loads = [
      { tenants: 1, latency_ms: 0 },
      { tenants: 20, latency_ms: 0 },
      { tenants: 1, latency_ms: 50 },
      { tenants: 20, latency_ms: 50 },
    ];
    for (const { tenants, latency_ms } of loads) {
      const figures = await measure(url, { tenants, latency_ms, deliveries });
      const { perSecond, promisedPerSecond } = figures;
      row([tenants, latency_ms, Math.round(perSecond), Math.round(promisedPerSecond)]);
    }
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const [mode, url = "", target = ""] = process.argv.slice(2);
if (mode === "--work") work(url, target);
else await main();
