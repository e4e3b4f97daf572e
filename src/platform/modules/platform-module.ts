/** The tables and the background work of `platform`. */

import type { Logger } from "pino";
import { backfillTask } from "../migrations/index.ts";
import { deleteOldResponses } from "../operations/index.ts";
import type { BasicServices, Module } from "./module.ts";
import { UPGRADES } from "./upgrade-metrics.ts";

export const platformModule = {
  name: "platform",
  works: ({ sql, log }: BasicServices & { readonly log: Logger }) => ({
    purge_idempotency_keys: () => deleteOldResponses(sql),
    backfill: backfillTask(sql, log),
  }),
  metrics: [UPGRADES],
  personal: {
    idempotency_keys: {
      yes: "key headers body",
      derived: "fingerprint",
      no: "tenant_id credential status is_sealed created_ts",
    },
    installation: { no: "key_fingerprint created_ts" },
    schema_migrations: { no: "version name md5 run_at" },
    schema_state: { no: "is_only serves_from reason release" },
    processes: { no: "id kind release schema_version host pid started_at seen_at" },
    backfills: {
      no: "name position pass has_missed rows_done rows_total started_at finished_at",
    },
  },
  excludedFromExport: {
    idempotency_keys: "responses for retries, kept for a day and bound to the installation's keys",
  },
} satisfies Module;
