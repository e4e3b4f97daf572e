/** The master key, sealed values and cookies. */

export { clearCookie, cookieIn, type CookieName, setCookie } from "./cookies.ts";
export {
  checkMasterKey,
  deriveKey,
  loadMasterKey,
  type MasterKey,
  newMasterKey,
  readMasterKey,
  unknownFingerprints,
} from "./master-key.ts";
export { createSealer, type Sealer } from "./sealing.ts";
