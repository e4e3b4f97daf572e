/**
 * The queue of attempts: pg-boss on the database of the service, one job for one attempt. What was
 * queued and what became of it is in our own tables; the queue only says which job is next.
 */

import { PgBoss, type Db as Statements } from "pg-boss";
import type { TenantId } from "../audit/index.ts";
import { aside, type Db, run, type Tx } from "../platform/database/index.ts";

const NAME = "deliveries";
/** The queue's own tables come with the migrations; nothing is scheduled by it. */
const SETTINGS = {
  migrate: false,
  schedule: false,
  registerInstance: false,
  monitorVacuum: false,
  flowIntervalSeconds: 3600,
} as const;
/** Between two looks for jobs whose worker is gone. */
const LOST_JOBS_s = 3;

/** The longest that a request may take, unless its settings say less. */
export const TIMEOUT_MAX_s = 30;

/** What is still put on a request's time before its job counts as lost. */
export const LEASE_MARGIN_s = 5;

export interface NewJob {
  readonly tenantId: TenantId;
  readonly deliveryId: string;
  readonly after_s: number;
  /** The most its request may take. */
  readonly timeout_s: number;
  readonly lane?: Lane;
}

/** Attempts of a tenant that do not wait for its others: each lane has a tenant's number of hands. */
export type Lane = string | undefined;

export interface TakenJob extends Omit<NewJob, "after_s"> {
  readonly id: string;
}

export interface Queue {
  /** Adds a job where its delivery has none. Takes a `Tx`: it is there if and only if that commits. */
  readonly add: (tx: Tx, jobs: readonly NewJob[]) => Promise<void>;
  /** Makes a job that waits due now. */
  readonly hasten: (tx: Tx, deliveryId: string) => Promise<void>;
  /** Takes due jobs; of a tenant's lane no more than so many are taken at a time, by all processes. */
  readonly take: (limit: number, perTenant: number) => Promise<readonly TakenJob[]>;
  readonly drop: (db: Db | Tx, jobId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface QueueOptions {
  readonly sql: Db;
  /** Also looks for jobs whose worker is gone, and gives them to another. */
  readonly supervise: boolean;
  readonly note: (error: unknown) => void;
}

interface JobData {
  readonly tenant_id: TenantId;
  readonly delivery_id: string;
  readonly lane?: string;
}

/** Opens when it is first used. */
export function createQueue({ sql, supervise, note }: QueueOptions): Queue {
  // Whoever adds a job holds a connection of the pool and must not wait for a second one.
  const own = aside(sql);
  const boss = new PgBoss({
    ...SETTINGS,
    db: statementsOn(own),
    supervise,
    superviseIntervalSeconds: LOST_JOBS_s,
    monitorIntervalSeconds: LOST_JOBS_s,
  });
  boss.on("error", note);
  let opened: Promise<unknown> | undefined;
  const open = async (): Promise<void> => {
    opened ??= boss.start();
    try {
      await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  return {
    add: async (tx, jobs) => {
      await open();
      const rows = jobs.map(({ tenantId, deliveryId, after_s, timeout_s, lane }) => ({
        data: {
          tenant_id: tenantId,
          delivery_id: deliveryId,
          ...(lane !== undefined && { lane }),
        } satisfies JobData,
        singletonKey: deliveryId,
        group: { id: lane === undefined ? tenantId : `${tenantId} ${lane}` },
        expireInSeconds: Math.ceil(timeout_s) + LEASE_MARGIN_s,
        startAfter: after_s,
      }));
      await boss.insert(NAME, rows, { db: statementsOn(tx) });
      if (jobs.some(({ after_s }) => after_s <= 0)) await wake(tx);
    },
    hasten: async (tx, deliveryId) => {
      await open();
      const db = statementsOn(tx);
      await boss.update(NAME, undefined, { singletonKey: deliveryId, startAfter: 0, db });
      await wake(tx);
    },
    take: async (limit, perTenant) => {
      await open();
      const options = { batchSize: limit, groupConcurrency: perTenant, db: statementsOn(sql) };
      const jobs = await boss.fetch<JobData>(NAME, options);
      return jobs.map(({ id, data, expireInSeconds }) => ({
        id,
        tenantId: data.tenant_id,
        deliveryId: data.delivery_id,
        timeout_s: expireInSeconds - LEASE_MARGIN_s,
        lane: data.lane,
      }));
    },
    drop: async (db, jobId) => {
      await open();
      await boss.deleteJob(NAME, jobId, { db: statementsOn(db) });
    },
    close: async () => {
      if (opened !== undefined) await boss.stop({ graceful: false }).catch(note);
      await own.end({ timeout: 1 });
    },
  };
}

/** Drops the jobs of a tenant that is removed. */
export const forgetJobs = (tx: Tx, tenantId: TenantId) =>
  run(tx)`
    delete from pgboss.job where name = ${NAME} and data->>'tenant_id' = ${tenantId}`;

/** Where a worker listens for deliveries that are due at once. */
export const CHANNEL = "leadport_deliveries";

const wake = (tx: Tx) => run(tx)`select pg_notify(${CHANNEL}, '')`;

/** pg-boss's statements on a connection of ours, inside its transaction where it has one. */
const statementsOn = (db: Db | Tx): Statements => ({
  executeSql: async (text, values = []) => ({
    rows: [...(await db.unsafe(text, values as never[]))].flat(),
  }),
});
