/** Sets up deliveries for tests: a database, tenants, a topic that records its callbacks, and workers. */

import pino from "pino";
import { createTenant } from "../../src/access/create-tenant.ts";
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
import { transaction } from "../../src/platform/database/db.ts";
import { type Db, type Tx } from "../../src/platform/database/tx.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { migratedDatabase } from "../kit/database.ts";
import { plainOutgoing } from "./plain-outgoing.ts";
import { eventually } from "../kit/eventually.ts";
import { openPools, atEnd, type Owner } from "../kit/started.ts";

export const TOPIC = "thing.told";

/** The callbacks that the tests' topic received, by delivery. */
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
  /** Queues a delivery about a subject, in a separate transaction. */
  readonly promise: (scope: Scope<Db>, subject_id: string, timeout_s?: number) => Promise<string>;
  readonly within: <T>(scope: Scope<Db>, work: (scope: Scope<Tx>) => Promise<T>) => Promise<T>;
  readonly work: (options?: Partial<LoopOptions>) => Loop;
  /** Resolves with the delivery once it meets the condition. */
  readonly deliveryWhen: (
    scope: Scope<Db>,
    id: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- a delivery
    isWanted: (delivery: any) => boolean,
    within_ms?: number,
    // oxlint-disable-next-line typescript/no-explicit-any -- a delivery
  ) => Promise<any>;
  readonly log: () => string;
}

export interface WorldOptions {
  readonly clock?: Clock;
  /**
   * Builds the request for a delivery, or returns "skip" if it is no longer wanted. Members that are omitted get
   * default values.
   */
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
  timeout_s: 20,
};

export async function deliveryWorld(t: Owner, options: WorldOptions): Promise<World> {
  const { clock = systemClock() } = options;
  const { url } = await migratedDatabase(t);
  const db = openPools(t, { url, connections: 10, listTimeout_ms: 10_000 });
  const { sql } = db;
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const note = (error: unknown) => log.warn({ err: error }, "The queue failed");
  const queue = createQueue({ sql, supervise: false, note });
  const deps = { clock, makeId: idSource(clock), queue };
  const learned: Learned = { delivered: [], givenUp: [] };
  const outgoing = plainOutgoing();
  atEnd(t, () => Promise.all([outgoing.close(), queue.close()]));
  const topic: Topic = {
    request: async (scope, delivery) => {
      const request = await options.request(delivery, scope);
      return request === "skip" ? "skip" : ({ ...PLAIN, ...request } as SignedRequest);
    },
    onDelivered: async (scope, delivery, answer) => {
      await options.onDelivered?.(scope, delivery, answer);
      learned.delivered.push(delivery.id);
    },
    onGivenUp: async (scope, delivery, last) => {
      await options.onGivenUp?.(scope, delivery, last);
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
    promise: (scope, subject_id, timeout_s = 20) =>
      world.within(scope, (inTx) => enqueue(inTx, deps, { topic: TOPIC, subject_id, timeout_s })),
    work: (more = {}) => {
      const base = { sql, clock, makeId: deps.makeId, log, outgoing, topics: { [TOPIC]: topic } };
      const loop = startDeliveries({ ...base, ...more });
      atEnd(t, () => loop.stop());
      return loop;
    },
    deliveryWhen: (scope, id, isWanted, within_ms = 60_000) =>
      eventually(
        () => readDelivery(scope, id),
        (delivery) => delivery !== undefined && isWanted(delivery),
        { within_ms, hint: () => lines.join("") },
      ),
    log: () => lines.join(""),
  };
  return world;
}
