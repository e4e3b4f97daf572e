/**
 * The queue of attempts. It uses pg-boss in the service's database, with one job per attempt. Deliveries and their
 * outcomes are stored in our own tables, so the queue determines only which job is next.
 */

import { PgBoss, type Db as Statements } from "pg-boss";
import sql, { type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../audit/index.ts";
import { separateConnection, type Db, run, type Tx } from "../platform/database/index.ts";

const NAME = "deliveries";
/** Our migrations create pg-boss's tables. Its scheduler is not used. */
const SETTINGS = {
  migrate: false,
  schedule: false,
  registerInstance: false,
  monitorVacuum: false,
  flowIntervalSeconds: 3600,
} as const;
/** The version of the tables that this pg-boss needs. Our migrations create it. */
const TABLES_VERSION = 43;
/** How often to look for jobs whose worker has died. */
const LOST_JOBS_s = 3;

/** Maximum duration of a request. A request can have a shorter timeout. */
export const TIMEOUT_MAX_s = 30;

/** A job counts as lost if it runs this much longer than its request's timeout. */
export const LEASE_MARGIN_s = 5;

export interface NewJob {
  readonly tenantId: TenantId;
  readonly deliveryId: string;
  readonly after_s: number;
  /** Timeout of the request. */
  readonly timeout_s: number;
  readonly lane?: Lane;
}

/**
 * Divides a tenant's attempts into groups that do not wait for each other. The per-tenant concurrency limit applies to
 * each lane separately.
 */
export type Lane = string | undefined;

/** For each topic that uses lanes: the function that returns the lane of a delivery. */
export type Lanes = Readonly<Record<string, (scope: Scope, subject_id: string) => Promise<Lane>>>;

export interface TakenJob extends Omit<NewJob, "after_s"> {
  readonly id: string;
}

export interface Queue {
  /**
   * Adds jobs for deliveries that have none. Requires a `Tx`, so that the jobs exist only if the transaction commits.
   */
  readonly add: (tx: Tx, jobs: readonly NewJob[]) => Promise<void>;
  /** Makes a waiting job due immediately. */
  readonly hasten: (tx: Tx, deliveryId: string) => Promise<void>;
  /** Takes due jobs, with at most `perTenant` running per tenant and lane across all processes. */
  readonly take: (limit: number, perTenant: number) => Promise<readonly TakenJob[]>;
  readonly drop: (db: Db | Tx, jobId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface QueueOptions {
  readonly sql: Db;
  /** Whether this process looks for jobs whose worker has died and returns them to the queue. */
  readonly supervise: boolean;
  readonly note: (error: unknown) => void;
}

interface JobData {
  readonly tenant_id: TenantId;
  readonly delivery_id: string;
  readonly lane?: string;
}

/** Creates the queue, which is opened on first use. */
export function createQueue({ sql: db, supervise, note }: QueueOptions): Queue {
  // Use a separate connection. Callers that add jobs already hold a connection from the pool and must not wait for a
  // second one.
  const connection = separateConnection(db);
  const boss = new PgBoss({
    ...SETTINGS,
    db: servableStatements(connection),
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
      const options = { batchSize: limit, groupConcurrency: perTenant, db: statementsOn(db) };
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
      await connection.end({ timeout: 1 });
    },
  };
}

/** Deletes the jobs of a tenant that is being removed. */
export const deleteJobs = (tx: Tx, tenantId: TenantId) =>
  run(tx)`
    delete from pgboss.job where name = ${NAME} and data->>'tenant_id' = ${tenantId}`;

/**
 * Checks whether a delivery has a job. The conditions match an index in migration 006, including its collation. With
 * `offset 0`, PostgreSQL always uses this index: it never plans a join, which can be slow if its statistics are outdated.
 */
export const hasJob = (deliveryId: Sql): Sql => sql`
  exists (select from pgboss.job
           where name = ${NAME} and coalesce(singleton_key, '') = ${deliveryId} collate "default"
             and state <= 'active' and policy = 'exclusive'
          offset 0)`;

/** The channel that announces deliveries that are due immediately. */
export const CHANNEL = "leadport_deliveries";

const wake = (tx: Tx) => run(tx)`select pg_notify(${CHANNEL}, '')`;

/** Runs pg-boss's statements on our connection or transaction. */
const statementsOn = (db: Db | Tx): Statements => ({
  executeSql: async (text, values = []) => ({
    rows: await run(db, { text, values }, values.length > 0 ? { prepare: false } : {}),
  }),
});

/**
 * Like `statementsOn`, but reports the version of the tables that this pg-boss needs. Otherwise, it would not start on
 * the tables of a later release, which the migrations keep usable for the release before it.
 */
function servableStatements(db: Db): Statements {
  const statements = statementsOn(db);
  return {
    executeSql: async (text, values) =>
      /^select version from pgboss\.version$/i.test(text)
        ? { rows: [{ version: TABLES_VERSION }] }
        : statements.executeSql(text, values),
  };
}
