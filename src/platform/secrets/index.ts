/** The master key, encrypted values and cookies. */

export { clearCookie, cookieIn, type CookieName, setCookie } from "./cookies.ts";
export {
  checkMasterKey,
  eachKey,
  type Keys,
  deriveKey,
  loadMasterKey,
  type MasterKey,
  newMasterKey,
  notedFingerprints,
  readMasterKey,
  unknownFingerprints,
  unknownOf,
} from "./master-key.ts";
export { createResealing, createSealer, type Sealer } from "./sealing.ts";
export {
  newTransferKey,
  readTransferKey,
  type TransferKey,
  transferKeyFrom,
} from "./transfer-key.ts";
