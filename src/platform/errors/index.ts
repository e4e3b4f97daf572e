/** Errors that the API returns, errors at startup, and the logging of errors. */

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
