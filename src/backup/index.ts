/** Backups: taking, verifying and restoring them. A backup is a folder with a manifest (docs/backup.md). */

export { logGap, startAutomaticBackups } from "./automatic.ts";
export { archiveSettings, makeSpool, spoolOf } from "./archive.ts";
export { type Backup, findBackup, listBackups } from "./find-backup.ts";
export { copyRowsIn, copyRowsOut } from "./copy-rows.ts";
export { describeDatabase } from "./describe-database.ts";
export {
  checkedManifest,
  type Manifest,
  MANIFEST,
  MANIFEST_MAX_bytes,
  type TenantManifest,
} from "./manifest.ts";
export { listTables, type Table } from "./tables.ts";
export { checkTree, sizeOf } from "./materialize.ts";
export { type PhysicalSource, takePhysicalBackup } from "./physical.ts";
export { copyStatement, takeLogicalBackup } from "./logical.ts";
export {
  heldSince,
  releaseDeliveries,
  restoreLogical,
  type RestoreOptions,
  restorePhysical,
  secureRestored,
} from "./restore/index.ts";
export { readStatus } from "./status.ts";
export { mustBeOutside, mustHaveSpace } from "./target.ts";
export { inScratch, verifyBackup } from "./verify.ts";
