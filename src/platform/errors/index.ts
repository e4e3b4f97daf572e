/** Errors that the API returns, errors at the start, and what is logged of others. */

export {
  AppError,
  errorCatalogue,
  isRefusedAtGate,
  type Issue,
  ISSUES_MAX,
  StartError,
  ValidationError,
} from "./errors.ts";
export { loggedError, withoutPersonalData } from "./logged-error.ts";
