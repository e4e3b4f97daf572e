/** The embedded PostgreSQL server and its data folder. */

export {
  clusterFolder,
  emptyCluster,
  isInstalled,
  isInterrupted,
  recordCluster,
  RESTORING,
  scratchCluster,
} from "./cluster-place.ts";
export {
  type EmbeddedOptions,
  type Embedded,
  startEmbedded,
  withNewCluster,
  withTemporaryCluster,
  attachEmbedded,
  joinEmbedded,
} from "./embedded-server.ts";
export { readInstallationFile } from "./installation-file.ts";
export { clearInterrupted, removeCluster, removeTemporary } from "./left-behind.ts";
export { type OfflineServer, withOfflineServer } from "./offline.ts";
export { type Cluster, type Notify, SUPERUSER } from "./postmaster.ts";
export { STATE_FOLDER } from "./run-as.ts";
