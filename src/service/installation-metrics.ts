/** Metrics that are read from the installation's database. Rows are counted with an index, and only up to 10,000. */

import type { Registry } from "prom-client";
import sql, { join } from "sql-template-tag";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { addMeasured, type MeasuredGroup, type Sample } from "../platform/metrics/index.ts";
import { COUNT_MAX } from "../platform/modules/index.ts";
import { byName, MODULES, TOPIC_NAMES } from "./modules.ts";

const HOUR_s = 3600;

const DATABASE: MeasuredGroup = {
  gauges: {
    leadport_database_info: {
      help: "Always 1, labeled with the version of PostgreSQL.",
      labels: ["version"],
    },
    leadport_database_schema_version: {
      help: "Number of the newest migration that the database has.",
    },
    leadport_database_size_bytes: { help: "Size of the database on disk." },
    leadport_database_longest_transaction_seconds: { help: "Age of the oldest open transaction." },
    leadport_change_feed_lag_seconds: {
      help: "Age of the oldest open transaction that has written data. Such a transaction delays the change feed.",
    },
  },
  read: async (tx) => {
    const [row = {}] = await run(tx)`
      select current_setting('server_version') as version,
             (select max(version)::int from schema_migrations) as schema_version,
             pg_database_size(current_database())::float8 as size_bytes`;
    // `now()` is the start of this transaction, so the age of a transaction that started later would be negative.
    const [open = {}] = await run(tx)`
      select greatest(0, extract(epoch from max(now() - xact_start)))::float8 as longest_s,
             greatest(0, extract(epoch from max(now() - xact_start)
               filter (where backend_xid is not null)))::float8 as writing_s
        from pg_stat_activity
       where backend_type = 'client backend' and datname = current_database()
         and pid <> pg_backend_pid()`;
    return {
      leadport_database_info: [{ labels: { version: String(row["version"]) }, value: 1 }],
      leadport_database_schema_version: [{ value: Number(row["schema_version"]) }],
      leadport_database_size_bytes: [{ value: Number(row["size_bytes"]) }],
      leadport_database_longest_transaction_seconds: [{ value: Number(open["longest_s"]) }],
      leadport_change_feed_lag_seconds: [{ value: Number(open["writing_s"]) }],
    };
  },
};

const PENDING = MODULES.flatMap(({ jobs = {} }) => Object.entries(jobs)).toSorted(byName);

/** These kinds are reported as 0 even if they have no jobs, so that alerts work. */
const KINDS = [...TOPIC_NAMES, ...PENDING.map(([kind]) => kind)];

const JOBS: MeasuredGroup = {
  gauges: {
    leadport_jobs_pending: {
      help: `Pending jobs, by kind. Counts at most ${COUNT_MAX} deliveries in total and at most ${COUNT_MAX} jobs of each other kind.`,
      labels: ["kind"],
    },
    leadport_jobs_oldest_age_seconds: {
      help: "Time since the oldest pending job became due, by kind. 0 if no job is due.",
      labels: ["kind"],
    },
    leadport_deliveries_failed_last_hour: {
      help: `Deliveries that failed in the last hour and will not be retried, by topic. Counts at most ${COUNT_MAX}.`,
      labels: ["topic"],
    },
  },
  read: async (tx) => {
    const jobs = await run(tx)`
      select topic as kind, count(*)::int as pending,
             greatest(0, extract(epoch from now() - min(next_at)))::float8 as age_s
        from (select topic, next_at from deliveries where status = 'pending'
               order by next_at limit ${COUNT_MAX}) d
       group by topic
      ${join(
        PENDING.map(([kind, query]) => sql`union all select ${kind}::text, j.* from (${query}) j`),
        "\n",
      )}`;
    const failed = await run(tx)`
      select topic, count(*)::int as failed
        from (select topic from deliveries
               where status <> 'pending' and status <> 'delivered'
                 and updated_ts > extract(epoch from now())::bigint - ${HOUR_s}::bigint
               limit ${COUNT_MAX}) d
       group by topic`;
    const found = new Map(jobs.map((row) => [String(row["kind"]), row]));
    const kinds = [...new Set([...KINDS, ...found.keys()])];
    const samples = (member: string) =>
      kinds.map((kind) => ({ labels: { kind }, value: Number(found.get(kind)?.[member] ?? 0) }));
    const failures = new Map(failed.map((row) => [String(row["topic"]), Number(row["failed"])]));
    const topics = [...new Set([...TOPIC_NAMES, ...failures.keys()])];
    return {
      leadport_jobs_pending: samples("pending"),
      leadport_jobs_oldest_age_seconds: samples("age_s"),
      leadport_deliveries_failed_last_hour: topics.map((topic) => ({
        labels: { topic },
        value: failures.get(topic) ?? 0,
      })),
    };
  },
};

const GROUPS = [DATABASE, JOBS, ...MODULES.flatMap(({ metrics = [] }) => metrics)];

/** Adds the installation's metrics. Use it in one process only, because all processes would report the same values. */
export const addInstallationMetrics = (register: Registry, db: Db) =>
  addMeasured(register, db, GROUPS);

/** Reads the metrics of the database, jobs and modules. Returns samples keyed by metric name. */
export async function readMetrics(
  db: Db | Tx,
): Promise<Readonly<Record<string, readonly Sample[]>>> {
  const samples: Record<string, readonly Sample[]> = {};
  for (const { read } of GROUPS) Object.assign(samples, await read(db));
  return samples;
}
