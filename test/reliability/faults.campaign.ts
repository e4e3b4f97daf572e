/**
 * Injects database faults while eight readers and four writers use the service: kills sessions,
 * processes and the whole server, and cuts connections. The service's process stays alive, loses no
 * acknowledged write, and responds either correctly or with a 503. FAULTS_S is the duration of all
 * faults together.
 */

import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openGate } from "../chaos/gate.ts";
import { eventually } from "../kit/eventually.ts";
import { isLong } from "../kit/long.ts";
import { randomFrom } from "../kit/random.ts";
import { isAlive, kill } from "../running/leadport.ts";
import { startLoad } from "./load.ts";
import { slownessOf } from "./slowness.ts";
import { watchProcess } from "./processes.ts";
import { note } from "./report.ts";
import { sharedDatabase, startService, type ServiceUnderTest } from "./service.ts";

const FAULTS_s = Number(process.env["FAULTS_S"] ?? (isLong ? "600" : "30"));
/**
 * The share of the total time during which connections are cut. For the rest of the time, the database server is
 * killed.
 */
const CUT_SHARE = 0.25;
/** The limits of times are extended on a slow machine. */
const GAP_MAX_ms = 10_000;
const RESPONSE_MAX_ms = 5_000;
const RSS_MAX_MB = 1000;
/** Faults that are followed by at least this pause stop the database server. */
const SERVER_REST_ms = 3000;
const SEED = 20_261_122;

/** A fault, how many times out of ten it is chosen, and the pause before the next fault. */
interface Fault {
  readonly name: string;
  readonly weight: number;
  readonly rest_ms: number;
  readonly inject: () => void;
}

interface Attacked {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly databaseUrl: () => string;
  readonly pid: number;
  readonly faults: readonly Fault[];
  readonly lasts_s: number;
  readonly random: () => number;
}

/** Injects faults under load, and records the results. */
async function attackWithFaults(t: TestContext, attacked: Attacked): Promise<void> {
  const { name, url, token, pid, faults, lasts_s, random } = attacked;
  const slowness = await slownessOf(attacked);
  const load = await startLoad({ url, token, readers: 8, writers: 4, random });
  const process = watchProcess(pid);
  const picks = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  const injected: Record<string, number> = {};
  const until = performance.now() + lasts_s * 1000;
  while (performance.now() < until && isAlive(pid)) {
    const fault = picks[Math.floor(random() * picks.length)];
    if (fault === undefined) break;
    fault.inject();
    injected[fault.name] = (injected[fault.name] ?? 0) + 1;
    await sleep(fault.rest_ms * (0.5 + random()));
    // A start takes longer on a busy machine.
    if (fault.rest_ms >= SERVER_REST_ms) await eventually(() => isReady(url));
  }
  const isSame = isAlive(pid);
  if (isSame) await eventually(() => isReady(url));
  const result = await load.stop(attacked.databaseUrl());
  const { peak_MB } = process.stop();
  const wrong = Object.entries(result.wrong).map(([what, count]) => `${count} × ${what}`);
  const count = Object.values(injected).reduce((sum, one) => sum + one, 0);
  const missed = [
    ...(isSame ? [] : ["The process ended."]),
    ...(count >= lasts_s / 10 || !isSame ? [] : [`Only ${count} faults were injected.`]),
    ...(result.lost === 0 ? [] : [`${result.lost} acknowledged writes are lost.`]),
    ...(wrong.length === 0 ? [] : [`Wrong: ${wrong.join("; ")}.`]),
    ...(result.longestGap_ms < GAP_MAX_ms * slowness
      ? []
      : ["No response succeeded for too long."]),
    ...(result.slowest_ms < RESPONSE_MAX_ms * slowness
      ? []
      : [`A response took too long: ${result.slowest}.`]),
    ...(peak_MB === undefined || peak_MB < RSS_MAX_MB ? [] : ["The memory is too large."]),
  ];
  const row = {
    scenario: name,
    slowness,
    seconds: lasts_s,
    faults: count,
    kinds: Object.entries(injected)
      .map(([what, times]) => `${times} × ${what}`)
      .join(", "),
    requests: result.requests,
    "acknowledged writes": result.acknowledged,
    lost: result.lost,
    "process exits": isSame ? 0 : 1,
    "503 responses": result.unavailable,
    "longest time without a success, ms": result.longestGap_ms,
    "slowest response, ms": result.slowest_ms,
    "RSS peak, MB": peak_MB,
  };
  note(t, "Faults under load", row, missed);
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`)
    // An unread body would keep the connection from being used again.
    .then(async (response) => (await response.text()) !== "" && response.ok)
    .catch(() => false);

const signal = (signal: NodeJS.Signals, pids: () => readonly number[]) => () => {
  for (const pid of pids()) kill(pid, signal);
};

/** Returns the possible faults of the embedded PostgreSQL. */
function serverFaults(service: ServiceUnderTest, random: () => number): readonly Fault[] {
  const server = () => [service.postmaster() ?? []].flat();
  const { backends } = service;
  const oneBackend = (): readonly number[] => {
    const all = backends();
    return all.slice(Math.floor(random() * all.length)).slice(0, 1);
  };
  return [
    // SIGTERM to a backend has the same effect as pg_terminate_backend.
    {
      name: "session terminated",
      weight: 3,
      rest_ms: 400,
      inject: signal("SIGTERM", oneBackend),
    },
    {
      name: "all sessions terminated",
      weight: 2,
      rest_ms: 800,
      inject: signal("SIGTERM", backends),
    },
    {
      name: "backend killed",
      weight: 2,
      rest_ms: 2000,
      inject: signal("SIGKILL", oneBackend),
    },
    { name: "postmaster killed", weight: 2, rest_ms: 3000, inject: signal("SIGKILL", server) },
    { name: "server stopped", weight: 1, rest_ms: 3000, inject: signal("SIGINT", server) },
  ];
}

test(`${FAULTS_s} s of database kills: the same process, nothing lost, every response right or 503`, async (t) => {
  const random = randomFrom(SEED);
  const service = await startService(t, { RATE_LIMIT: "off", LOG_LEVEL: "error" });
  await attackWithFaults(t, {
    name: "embedded PostgreSQL: sessions, backends and server killed",
    url: service.url,
    token: service.token,
    databaseUrl: service.databaseUrl,
    pid: service.pid(),
    faults: serverFaults(service, random),
    lasts_s: FAULTS_s * (1 - CUT_SHARE),
    random,
  });
});

test("an external database whose connections are cut: the same process, nothing lost", async (t) => {
  const random = randomFrom(SEED);
  const database = await sharedDatabase(t);
  const address = new URL(database.url);
  let refusedUntil = 0;
  const own = [Number(address.port)];
  const ports = () => (performance.now() < refusedUntil ? [] : own);
  const gate = await openGate(t, { ports, lostShare: 0, random });
  address.port = String(gate.port);
  const { url, pid } = await database.serve(address.href);
  const cut = (share: number) => () => gate.cut(share);
  await attackWithFaults(t, {
    name: "external PostgreSQL: connections cut and refused",
    url,
    token: database.token,
    databaseUrl: () => database.url,
    pid,
    faults: [
      { name: "some connections cut", weight: 5, rest_ms: 400, inject: cut(0.3) },
      { name: "all connections cut", weight: 3, rest_ms: 800, inject: cut(1) },
      {
        name: "all connections cut and refused for a second",
        weight: 2,
        rest_ms: 3000,
        inject: () => {
          refusedUntil = performance.now() + 1000;
          gate.cut(1);
        },
      },
    ],
    lasts_s: FAULTS_s * CUT_SHARE,
    random,
  });
});
