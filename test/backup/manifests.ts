/** Manifests of physical backups that were never taken. */

import type { PhysicalManifest } from "../../src/backup/contents/manifest.ts";

export const MANIFEST_OF_NOTHING: PhysicalManifest = {
  format: 1,
  kind: "physical",
  release: "0.1.0",
  schema_version: 31,
  postgres_version: "18.4",
  postgres_major: 18,
  started_at: "2026-12-24T10:00:00.000Z",
  finished_at: "2026-12-24T10:01:00.000Z",
  key_fingerprints: ["0011223344556677"],
  platform: "linux-x64",
  system_identifier: "7300000000000000000",
  installation_id: null,
  timeline: 1,
  first_wal: "000000010000000000000002",
  last_wal: "000000010000000000000002",
  folders: [],
  files: [],
};
