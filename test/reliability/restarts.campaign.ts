/**
 * The time from a kill to the first acknowledged new write. The service, a database session, the
 * database server, or everything is killed. A killed service is restarted immediately, as a
 * supervisor would do. KILLS is the number of kills of each kind.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/statistics.ts";
import { eventually } from "../kit/eventually.ts";
import { isLong } from "../kit/long.ts";
import { isAlive, kill } from "../running/leadport.ts";
import { note } from "./report.ts";
import { slownessOf } from "./slowness.ts";
import { startService, type ServiceUnderTest } from "./service.ts";

const KILLS = Number(process.env["KILLS"] ?? (isLong ? "50" : "3"));
/** This limit and the next one are extended on a slow machine. */
const WRITE_WITHIN_ms = 10_000;
/** How long a write may take before the next write is tried on a new connection. */
const RESPONSE_ms = 1000;
const PAUSE_ms = 20;
/** The service is back when this many consecutive writes succeed. */
const STEADY = 10;
/** If the service has not recovered after this time, the test gives up. */
const GIVE_UP_ms = 300_000;

interface Kill {
  readonly name: string;
  /** Whether the service itself is killed, which means that it has to be restarted. */
  readonly endsService: boolean;
  readonly inject: (service: ServiceUnderTest, n: number) => Promise<void> | void;
}

const killPostmaster = (service: ServiceUnderTest, signal: NodeJS.Signals): void => {
  const server = service.postmaster();
  assert.ok(server !== undefined, "PostgreSQL runs before the kill");
  kill(server, signal);
};

const killBackend = (service: ServiceUnderTest): void => {
  const [first] = service.backends();
  assert.ok(first !== undefined, "a session exists before the kill");
  kill(first, "SIGKILL");
};

const KINDS: readonly Kill[] = [
  { name: "service", endsService: true, inject: ({ pid }) => kill(pid(), "SIGKILL") },
  { name: "database backend", endsService: false, inject: killBackend },
  {
    name: "postmaster",
    endsService: false,
    inject: (service) => killPostmaster(service, "SIGKILL"),
  },
  {
    name: "everything: the service and all of PostgreSQL",
    endsService: true,
    inject: ({ killEverything }) => killEverything(),
  },
  {
    name: "a backend, then SIGINT to the postmaster, then the service",
    endsService: true,
    inject: async (service, n) => {
      killBackend(service);
      // PostgreSQL is recovering from the loss of a backend. At some moments during the recovery,
      // SIGINT leaves it stuck while it is stopping, and it stays stuck when the service is killed
      // as well.
      await sleep(60 + (n % 5) * 10);
      const server = service.postmaster();
      if (server !== undefined) kill(server, "SIGINT");
      kill(service.pid(), "SIGKILL");
    },
  },
];

for (const kind of KINDS) {
  test(`after a kill of the ${kind.name} new writes succeed soon`, async (t) => {
    const service = await startService(t, { RATE_LIMIT: "off", LOG_LEVEL: "error" });
    const slowness = await slownessOf(service);
    const response_ms = RESPONSE_ms * slowness;
    const acknowledged: string[] = [];
    const took_ms: number[] = [];
    const missed: string[] = [];
    for (let n = 0; n < KILLS && missed.length === 0; n += 1) {
      await steadyWrites({ ...service, response_ms }, `${kind.name} ${n} before`, acknowledged);
      await eventually(() => service.backends().length, Boolean);
      const pid = service.pid();
      const start_ms = performance.now();
      await kind.inject(service, n);
      try {
        const starting = kind.endsService ? service.startAgain() : undefined;
        const written = steadyWrites(
          { ...service, response_ms },
          `${kind.name} ${n} after`,
          acknowledged,
        );
        const [at] = await Promise.all([written, starting]);
        took_ms.push(at - start_ms);
      } catch (error) {
        missed.push(`Kill ${n + 1}: ${(error as Error).message}`);
      }
      if (!kind.endsService && !isAlive(pid)) missed.push("The process ended.");
    }
    const lost = missed.length === 0 ? await lostOf(service, acknowledged) : undefined;
    if (lost !== 0) missed.push("Not every acknowledged write is there once.");
    if (Math.max(...took_ms) >= WRITE_WITHIN_ms * slowness)
      missed.push("A write succeeded too late.");
    const row = {
      killed: kind.name,
      slowness,
      kills: took_ms.length,
      "median, ms": took_ms.length > 0 ? median(took_ms) : undefined,
      "maximum, ms": took_ms.length > 0 ? Math.max(...took_ms) : undefined,
      "acknowledged writes": acknowledged.length,
      lost,
    };
    note(t, "From a kill to the first new write", row, missed);
  });
}

/**
 * Creates leads until several in a row succeed, and returns the time at which the first of these leads was
 * acknowledged. A session that briefly outlives its server does not mean that the service is back.
 */
async function steadyWrites(
  { url, token, response_ms }: ServiceUnderTest & { readonly response_ms: number },
  title: string,
  acknowledged: string[],
): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    // A connection from before the kill is dead.
    connection: "close",
  };
  const giveUpAt = performance.now() + GIVE_UP_ms;
  let first: number | undefined;
  for (let n = 0, row = 0; performance.now() < giveUpAt; n += 1) {
    const name = `${title} ${n}`;
    const isCreated = await fetch(`${url}/crm/leads`, {
      method: "POST",
      headers,
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(response_ms),
    })
      .then(async (response) => (await response.json()) !== undefined && response.status === 200)
      // There was no response, or it was incomplete.
      .catch(() => false);
    if (isCreated) acknowledged.push(name);
    row = isCreated ? row + 1 : 0;
    if (row === 0) first = undefined;
    else first ??= performance.now();
    if (row === STEADY && first !== undefined) return first;
    await sleep(PAUSE_ms);
  }
  throw new Error(`No writes succeeded within ${GIVE_UP_ms / 1000} s.`);
}

/** Returns how many of the leads are missing or duplicated. */
async function lostOf({ url, token }: ServiceUnderTest, names: readonly string[]): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  // A session that outlives its server can acknowledge the last writes, so the database may still be starting.
  const exported = await eventually(
    () =>
      fetch(`${url}/crm/leads/export?format=ndjson`, { headers })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined),
    (seen) => seen?.status === 200,
    GIVE_UP_ms,
  );
  const counts = new Map<string, number>();
  for (const line of (exported?.text ?? "").split("\n").filter(Boolean)) {
    const { name } = JSON.parse(line) as { name: string };
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return names.filter((name) => counts.get(name) !== 1).length;
}
