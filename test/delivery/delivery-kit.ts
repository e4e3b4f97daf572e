/** Deliveries as tests need them: a database, tenants, a topic that notes what it learns, workers. */

import { setTimeout as sleep } from "node:timers/promises";
import type { TestContext } from "node:test";
import pino from "pino";
import { createTenant } from "../../src/access/index.ts";
import { SERVICE, type Scope } from "../../src/audit/index.ts";
import {
  createQueue,
  enqueue,
  readDelivery,
  startDeliveries,
  type EnqueueDeps,
  type Loop,
  type LoopOptions,
  type SignedRequest,
  type SentDelivery,
  type Topic,
} from "../../src/delivery/index.ts";
import { systemClock, type Clock } from "../../src/platform/clock/clock.ts";
import { connect, transaction } from "../../src/platform/database/db.ts";
import { type Db, type Tx } from "../../src/platform/database/tx.ts";
import { idSource } from "../../src/platform/clock/ids.ts";
import { migratedDatabase } from "../kit/database.ts";
import { plainOutgoing } from "./plain-outgoing.ts";

export const TOPIC = "thing.told";

/** What the topic of the tests learned, by delivery. */
export interface Learned {
  readonly delivered: string[];
  readonly givenUp: string[];
}

export interface World {
  readonly sql: Db;
  readonly url: string;
  readonly deps: EnqueueDeps;
  readonly learned: Learned;
  readonly tenant: () => Promise<Scope<Db>>;
  /** Promises a delivery about a subject, in a transaction of its own. */
  readonly promise: (scope: Scope<Db>, subject_id: string, timeout_s?: number) => Promise<string>;
  readonly within: <T>(scope: Scope<Db>, work: (scope: Scope<Tx>) => Promise<T>) => Promise<T>;
  readonly work: (options?: Partial<LoopOptions>) => Loop;
  /** The delivery when it is as wanted; fails after a while. */
  readonly until: (
    scope: Scope<Db>,
    id: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- a told delivery
    wanted: (delivery: any) => boolean,
    within_ms?: number,
    // oxlint-disable-next-line typescript/no-explicit-any -- a told delivery
  ) => Promise<any>;
  readonly log: () => string;
}

export interface WorldOptions {
  readonly clock?: Clock;
  /** Where a delivery goes, or all of the request. */
  readonly request: (
    delivery: SentDelivery,
    scope: Scope<Db>,
  ) => Partial<SignedRequest> | "skip" | Promise<Partial<SignedRequest> | "skip">;
  readonly onDelivered?: Topic["onDelivered"];
  readonly onGivenUp?: Topic["onGivenUp"];
}

const PLAIN: Omit<SignedRequest, "url"> = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
  timeout_s: 2,
};

export async function deliveryWorld(
  t: Pick<TestContext, "after">,
  options: WorldOptions,
): Promise<World> {
  const { clock = systemClock() } = options;
  // The database goes last, whatever has begun to use it.
  const last: (() => unknown)[] = [];
  const after = (cleanup: () => unknown) => void last.unshift(cleanup);
  const { url } = await migratedDatabase({ after } as unknown as TestContext);
  const db = connect({ url, connections: 10, listTimeout_ms: 10_000 });
  const { sql } = db;
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const note = (error: unknown) => log.warn({ err: error }, "The queue failed");
  const queue = createQueue({ sql, supervise: false, note });
  const deps = { clock, makeId: idSource(clock), queue };
  const learned: Learned = { delivered: [], givenUp: [] };
  const loops: Loop[] = [];
  const outgoing = plainOutgoing();
  t.after(async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await outgoing.close();
    await queue.close();
    await db.close({ timeout_s: 1 });
    for (const cleanup of last) await cleanup();
  });
  const topic: Topic = {
    request: async (scope, delivery) => {
      const request = await options.request(delivery, scope);
      return request === "skip" ? "skip" : ({ ...PLAIN, ...request } as SignedRequest);
    },
    onDelivered: async (scope, delivery, answer) => {
      await options.onDelivered?.(scope, delivery, answer);
      learned.delivered.push(delivery.id);
    },
    onGivenUp: async (scope, delivery, ended) => {
      await options.onGivenUp?.(scope, delivery, ended);
      learned.givenUp.push(delivery.id);
    },
  };
  let tenants = 0;
  const world: World = {
    sql,
    url,
    deps,
    learned,
    tenant: async () => {
      const { tenant } = await createTenant(sql, deps, { name: `Tenant ${++tenants}` });
      return { db: sql, tenantId: tenant.id, actor: SERVICE };
    },
    within: (scope, work) => transaction(sql, (tx) => work({ ...scope, db: tx })),
    promise: (scope, subject_id, timeout_s = 2) =>
      world.within(scope, (inTx) => enqueue(inTx, deps, { topic: TOPIC, subject_id, timeout_s })),
    work: (more = {}) => {
      const base = { sql, clock, makeId: deps.makeId, log, outgoing, topics: { [TOPIC]: topic } };
      const loop = startDeliveries({ ...base, ...more });
      loops.push(loop);
      return loop;
    },
    until: async (scope, id, wanted, within_ms = 15_000) => {
      const end_ms = performance.now() + within_ms;
      for (;;) {
        const delivery = await readDelivery(scope, id);
        if (delivery !== undefined && wanted(delivery)) return delivery;
        if (performance.now() > end_ms) {
          throw new Error(`Still ${JSON.stringify(delivery)}; ${lines.join("").slice(0, 2000)}`);
        }
        await sleep(20);
      }
    },
    log: () => lines.join(""),
  };
  return world;
}
