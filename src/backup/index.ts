/** Backups: taken, verified and restored. A backup is a folder with a manifest (docs/backup.md). */

export { logGap, startAutomaticBackups } from "./automatic.ts";
export { heldSince, releaseDeliveries, secureRestored } from "./after-restore.ts";
export { archiveSettings, makeSpool, spoolOf } from "./archive.ts";
export { type Backup, findBackup, listBackups } from "./find-backup.ts";
export type { Manifest } from "./manifest.ts";
export { checkTree, sizeOf } from "./materialize.ts";
export { type PhysicalSource, takePhysicalBackup } from "./physical.ts";
export { takeLogicalBackup } from "./logical.ts";
export { restoreLogical } from "./restore-logical.ts";
export { type RestoreOptions, restorePhysical } from "./restore-physical.ts";
export { readStatus } from "./status.ts";
export { mustBeOutside } from "./target.ts";
export { verifyBackup } from "./verify.ts";
