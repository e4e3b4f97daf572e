/**
 * From a kill to the first new write that is acknowledged: of the service, of a database session, of
 * the database server, and of everything. What serves is started again at once, as a supervisor would.
 * KILLS is how often each happens.
 */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/service.ts";
import { eventually } from "../kit/eventually.ts";
import { isAlive, kill } from "../running/leadport.ts";
import { note } from "./report.ts";
import { startService, type ServiceUnderTest } from "./service.ts";

const KILLS = Number(process.env["KILLS"] ?? "3");
const WRITE_WITHIN_ms = 10_000;
/** How long a write may take before the next is tried on a new connection. */
const RESPONSE_ms = 1000;
const PAUSE_ms = 10;
/** After this a kill has failed, and the next one is tried on a service that was started again. */
const GIVE_UP_ms = 60_000;

interface Kill {
  readonly name: string;
  /** Whether the service itself is killed, so that it has to be started again. */
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
      // In this time PostgreSQL may be left stopping, and it stays so without the service.
      await sleep(60 + (n % 5) * 10);
      const server = service.postmaster();
      if (server !== undefined) kill(server, "SIGINT");
      kill(service.pid(), "SIGKILL");
    },
  },
];

for (const kind of KINDS) {
  test(`after a kill of the ${kind.name} a new write succeeds soon`, async (t) => {
    const service = await startService(t, { RATE_LIMIT: "off", LOG_LEVEL: "error" });
    const names: string[] = [];
    const took_ms: number[] = [];
    let exits = 0;
    for (let n = 0; n < KILLS; n += 1) {
      // The write before each kill makes sure that the service is whole.
      names.push((await firstWrite(service, `${kind.name} ${n} before`)).name);
      const pid = service.pid();
      const begun = performance.now();
      await kind.inject(service, n);
      const starting = kind.endsService ? service.startAgain() : undefined;
      // Without a start the first write fails for good; the reason is the start's.
      const written = firstWrite(service, `${kind.name} ${n} after`);
      const [{ name, at }] = await Promise.all([written, starting]);
      names.push(name);
      took_ms.push(at - begun);
      if (!kind.endsService && !isAlive(pid)) exits += 1;
    }
    const lost = await missingOf(service, names);
    const missed = [
      ...(Math.max(...took_ms) < WRITE_WITHIN_ms ? [] : [`A write took ${WRITE_WITHIN_ms} ms.`]),
      ...(lost === 0 ? [] : [`${lost} acknowledged writes are lost.`]),
      ...(exits === 0 ? [] : ["The process ended."]),
    ];
    noteKills(t, { killed: kind.name, took_ms, acknowledged: names.length, lost, exits }, missed);
  });
}

interface Killed {
  readonly killed: string;
  readonly took_ms: readonly number[];
  readonly acknowledged: number;
  readonly lost: number;
  readonly exits: number;
}

function noteKills(t: TestContext, killed: Killed, missed: readonly string[]): void {
  const row = {
    killed: killed.killed,
    kills: killed.took_ms.length,
    "median, ms": median(killed.took_ms),
    "maximum, ms": Math.max(...killed.took_ms),
    "acknowledged writes": killed.acknowledged,
    lost: killed.lost,
    "process exits": killed.exits,
  };
  note(t, "From a kill to the first new write", row, missed);
}

/** Creates a lead, trying until it is acknowledged; its name, and when the response came. */
async function firstWrite({ url, token }: ServiceUnderTest, title: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    // A connection from before the kill is dead.
    connection: "close",
  };
  const giveUpAt = performance.now() + GIVE_UP_ms;
  for (let n = 0; performance.now() < giveUpAt; n += 1) {
    const name = `${title} ${n}`;
    const status = await fetch(`${url}/crm/leads`, {
      method: "POST",
      headers,
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(RESPONSE_ms),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return { name, at: performance.now() };
    await sleep(PAUSE_ms);
  }
  throw new Error(`No write succeeded within ${GIVE_UP_ms} ms: ${title}`);
}

/** How many of the leads the service does not have exactly once. */
async function missingOf(
  { url, token }: ServiceUnderTest,
  names: readonly string[],
): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (): Promise<readonly string[]> => {
    const response = await fetch(`${url}/crm/leads/export?format=ndjson`, { headers });
    const lines = (await response.text()).split("\n").filter(Boolean);
    return response.ok ? lines.map((line) => (JSON.parse(line) as { name: string }).name) : [];
  };
  const found = await eventually(read, (seen) => seen.length >= names.length);
  return names.filter((name) => found.filter((one) => one === name).length !== 1).length;
}
