/** Metrics that are read from the installation's database. Rows are counted with an index, and only up to 10,000. */

import type { Registry } from "prom-client";
import { addMeasured, type Db, type MeasuredGroup, run } from "../platform/database/index.ts";

const COUNT_MAX = 10_000;
const WEBHOOKS_MAX = 1_000;
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

/** These topics are reported as 0 even if they have no jobs, so that alerts work. */
const TOPICS = ["event", "lead.imported"] as const;
const KINDS = [...TOPICS, "event_replay", "rename"] as const;

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
      union all
      select 'rename', count(*)::int,
             coalesce(extract(epoch from now())
               - ('x' || left(min(id), 8))::bit(32)::bigint::float8, 0)
        from (select id from renames order by id limit ${COUNT_MAX}) r
      union all
      select 'event_replay', count(*)::int,
             coalesce(extract(epoch from now()) - min(created_ts), 0)::float8
        from (select created_ts from event_replays where finished_ts is null limit ${COUNT_MAX}) p`;
    const failed = await run(tx)`
      select topic, count(*)::int as failed
        from (select topic from deliveries
               where status <> 'pending' and status <> 'delivered'
                 and updated_ts > extract(epoch from now())::bigint - ${HOUR_s}::bigint
               limit ${COUNT_MAX}) d
       group by topic`;
    const found = new Map(jobs.map((row) => [String(row["kind"]), row]));
    const kinds = [...new Set<string>([...KINDS, ...found.keys()])];
    const samples = (member: string) =>
      kinds.map((kind) => ({ labels: { kind }, value: Number(found.get(kind)?.[member] ?? 0) }));
    const failures = new Map(failed.map((row) => [String(row["topic"]), Number(row["failed"])]));
    const topics = [...new Set<string>([...TOPICS, ...failures.keys()])];
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

const EVENTS: MeasuredGroup = {
  gauges: {
    leadport_event_webhooks: {
      help: "Event webhooks, by state. `disabled` means disabled by their owner, and `paused` means disabled by the service.",
      labels: ["state"],
    },
    leadport_event_lag_seconds: {
      help: "Age of the oldest change whose events have not been queued yet for an enabled webhook.",
    },
  },
  read: async (tx) => {
    const [states = {}] = await run(tx)`
      select count(*) filter (where enabled)::int as enabled,
             count(*) filter (where not enabled and disabled_reason is null)::int as disabled,
             count(*) filter (where not enabled and disabled_reason is not null)::int as paused
        from event_webhooks`;
    const [lag = {}] = await run(tx)`
      select coalesce(extract(epoch from now() - min(next.at)), 0)::float8 as lag_s
        from (select tenant_id, subject_types, position from event_webhooks
               where enabled limit ${WEBHOOKS_MAX}) w
        cross join lateral unnest(w.subject_types) as type
        cross join lateral (
          select c.at from changes c
           where c.tenant_id = w.tenant_id and c.subject_type = type and c.seq is not null
             and c.seq > w.position
           order by c.seq limit 1) next`;
    return {
      leadport_event_webhooks: ["enabled", "disabled", "paused"].map((state) => ({
        labels: { state },
        value: Number(states[state]),
      })),
      leadport_event_lag_seconds: [{ value: Math.max(0, Number(lag["lag_s"])) }],
    };
  },
};

/** Adds the installation's metrics. Use it in one process only, because all processes would report the same values. */
export const addInstallationMetrics = (register: Registry, sql: Db) =>
  addMeasured(register, sql, [DATABASE, JOBS, EVENTS]);

/** Functions that read the metrics of the database, jobs and events. Each returns samples keyed by metric name. */
export const readDatabase = DATABASE.read;
export const readJobs = JOBS.read;
export const readEvents = EVENTS.read;
