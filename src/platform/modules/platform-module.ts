/** The tables and the background work of `platform`. */

import { deleteOldResponses } from "../operations/index.ts";
import type { BasicServices, Module } from "./module.ts";

export const platformModule = {
  name: "platform",
  works: ({ sql }: BasicServices) => ({
    purge_idempotency_keys: () => deleteOldResponses(sql),
  }),
  personal: {
    idempotency_keys: {
      yes: "key headers body",
      derived: "fingerprint",
      no: "tenant_id credential status is_sealed created_ts",
    },
    installation: { no: "key_fingerprint created_ts" },
    schema_migrations: { no: "version name md5 run_at" },
  },
  excludedFromExport: {
    idempotency_keys: "responses for retries, kept for a day and bound to the installation's keys",
  },
} satisfies Module;
