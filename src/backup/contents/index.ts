/** The contents of a backup: its manifest, the cluster's files, the log, and table rows. */

export {
  type BackupFile,
  checkedManifest,
  type LogicalManifest,
  type Manifest,
  MANIFEST,
  MANIFEST_MAX_bytes,
  type PhysicalManifest,
  physicalManifestIn,
  readManifest,
  type TenantManifest,
} from "./manifest.ts";
export {
  AT_ONCE,
  copyFile,
  type CopyOptions,
  digestOf,
  makeFolder,
  type Owner,
  syncFolder,
} from "./copy-files.ts";
export { createPace } from "./pace.ts";
export { copyRowsIn, copyRowsOut } from "./copy-rows.ts";
export { belongsInBackup, CONTROL_FILE, listCluster, NEW_SETTINGS } from "./cluster-files.ts";
export { listSequences, listTables, type Table } from "./tables.ts";
export { endOfTimeline, gapAfter, numberOf, timelineFile, timelineOf } from "./log-files.ts";
