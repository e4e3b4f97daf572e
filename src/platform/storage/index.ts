/** The data folder, disk space, certificates, and the version. */

export {
  type Holder,
  holderOf,
  isAlive,
  openDataFolder,
  readOrNothing,
  readSecret,
  type Release,
  removeNote,
  lockFolder,
  lockFolderPatiently,
  unwritable,
  usedByCommand,
  writeSecret,
} from "./data-folder.ts";
export {
  defaultReserve,
  diskFull,
  type DiskReserve,
  isDiskFull,
  watchDisk,
} from "./disk-reserve.ts";
export { shellWord } from "./shell-word.ts";
export { readTls, type Tls } from "./tls.ts";
export { commit, VERSION } from "./version.ts";
