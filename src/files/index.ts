/** Imports and exports of records as CSV and NDJSON files. */

import type { Module } from "../platform/modules/index.ts";
import { fileOperations, type FilesDeps, fileSchemas } from "./imports/index.ts";

export const filesModule = {
  name: "files",
  imports: ["audit", "access", "records"],
  operations: (services: FilesDeps) => ({ tenants: fileOperations(services) }),
  schemas: () => fileSchemas,
  tags: { files: "Imports and exports of CSV and NDJSON files." },
  personal: {
    imports: {
      yes: "tally error",
      text: "file_name options file mapping",
      user: "person_id person_name",
      no:
        "tenant_id id record_type dry_run state fingerprint last_line rows created updated unchanged refused lease " +
        "lease_until_ms created_ts updated_ts finished_ts",
    },
    import_rejects: { yes: "reason raw", no: "tenant_id import_id line" },
  },
} satisfies Module;
