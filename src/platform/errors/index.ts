/** API errors, startup errors, and error logging. */

export { asError, codeOf, messageOf } from "./caught.ts";
export {
  AppError,
  type ErrorCode,
  errorCatalog,
  isRefusedAtGate,
  type Issue,
  ISSUES_MAX,
  StartError,
  ValidationError,
} from "./errors.ts";
export { loggedError, withoutPersonalData } from "./logged-error.ts";
