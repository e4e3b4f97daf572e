/** Passwords and the second factor. */

export {
  createPasswords,
  isOutdated,
  PASSWORD_HASH,
  PASSWORD_LENGTH,
  passwordFaults,
  type Passwords,
  unknownPasswordHash,
} from "./passwords.ts";
export {
  drawRecoveryCodes,
  makeSecret,
  type SecondFactorCodes,
  type SecondFactorDeps,
  stepOf,
  takeCode,
} from "./second-factor.ts";
