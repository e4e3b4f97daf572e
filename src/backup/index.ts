/** Backups: taken, verified and restored. A backup is a folder with a manifest (docs/backup.md). */

export { heldSince, releaseDeliveries, secureRestored } from "./after-restore.ts";
export { archiveSettings, makeSpool, packLog, pruneLog } from "./archive.ts";
export { ARCHIVE, findBackup, listBackups } from "./find-backup.ts";
export { type Manifest, readManifest } from "./manifest.ts";
export { sizeOf } from "./materialize.ts";
export { type PhysicalSource, takePhysicalBackup } from "./physical.ts";
export { restorePhysical } from "./restore-physical.ts";
export { mustBeOutside } from "./target.ts";
export { type Verification, verifyBackup } from "./verify.ts";
