/** The state of the installation for `GET /crm/admin/system`. */

import { readMetrics } from "./installation-metrics.ts";
import { type Database, transaction } from "../platform/database/index.ts";
import type { Sample } from "../platform/metrics/index.ts";
import type { DiskReserve } from "../platform/storage/index.ts";
import { readBackfills, release, runningProcesses } from "../platform/migrations/index.ts";
import { readinessOf } from "../platform/health/index.ts";
import type { JsonObject } from "../platform/json/index.ts";

export interface StateDeps {
  readonly db: Database;
  readonly disk: Pick<DiskReserve, "free_bytes"> | undefined;
  readonly isReady: () => boolean;
}

/** Reads the metrics and converts them to the schema `Installation`. */
export async function readInstallation({ db, disk, isReady }: StateDeps): Promise<JsonObject> {
  const status = await readinessOf(db, isReady);
  const samples = await transaction(db.lists, readMetrics, "read only");
  const all = (name: string): readonly Sample[] => samples[`leadport_${name}`] ?? [];
  const value = (name: string): number => all(name)[0]?.value ?? 0;
  const labeled = (name: string, label: string) =>
    new Map(all(name).map(({ labels, value: found }) => [labels?.[label] ?? "", found]));
  const ages_s = labeled("jobs_oldest_age_seconds", "kind");
  return {
    ...release(),
    status,
    uptime_s: Math.floor(process.uptime()),
    database: {
      version: all("database_info")[0]?.labels?.["version"] ?? "",
      schema_version: value("database_schema_version"),
      size_bytes: value("database_size_bytes"),
      disk_free_bytes: disk?.free_bytes() ?? null,
      longest_transaction_s: value("database_longest_transaction_seconds"),
      change_feed_lag_s: value("change_feed_lag_seconds"),
    },
    jobs: [...labeled("jobs_pending", "kind")].map(([kind, pending]) => {
      return { kind, pending, oldest_age_s: ages_s.get(kind) ?? 0 };
    }),
    processes: (await runningProcesses(db.probe)).map((process) => ({ ...process })),
    backfills: (await readBackfills(db.probe)).map((state) => ({ ...state })),
    event_lag_s: value("event_lag_seconds"),
    event_webhooks: Object.fromEntries(labeled("event_webhooks", "state")),
  };
}
