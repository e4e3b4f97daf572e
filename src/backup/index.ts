/** Backups: taking, verifying and restoring them. A backup is a folder with a manifest (docs/backup.md). */

import type { Module } from "../platform/modules/index.ts";

export { logGap, startAutomaticBackups } from "./automatic.ts";
export { archiveSettings, makeSpool, spoolOf } from "./archive.ts";
export { obstacleIn } from "./folder-use.ts";
export { type Backup, findBackup, listBackups } from "./find-backup.ts";
export { describeDatabase } from "./describe-database.ts";
export { checkTree, sizeOf } from "./materialize.ts";
export { type PhysicalSource, takePhysicalBackup } from "./physical.ts";
export { copyStatement, takeLogicalBackup } from "./logical.ts";
export { heldSince, releaseDeliveries, secureRestored } from "./after-restore.ts";
export { restoreLogical } from "./restore-logical.ts";
export { type RestoreOptions, restorePhysical } from "./restore-physical.ts";
export { readStatus } from "./status.ts";
export { mustBeOutside, mustHaveSpace } from "./target.ts";
export { dataDirIn, inScratch } from "./scratch.ts";
export { verifyBackup } from "./verify.ts";

export const backupModule = {
  name: "backup",
  imports: [],
  personal: { restores: { no: "id restored_at restored_to released_at" } },
} satisfies Module;
