/** Restores backups, and secures what was restored. */

export { heldSince, releaseDeliveries, secureRestored } from "./after-restore.ts";
export { restoreLogical } from "./logical.ts";
export { type RestoreOptions, restorePhysical } from "./physical.ts";
