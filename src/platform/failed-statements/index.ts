/** What the error of a statement means, and the retries of writes that conflict with other writes. */

export {
  ChangedByOthers,
  LockedByOthers,
  retry,
  retryWhileLocked,
  WriteConflict,
} from "./retry.ts";
export {
  isContended,
  isDuplicate,
  isNotStarted,
  isRetriable,
  isTooCostly,
  isUnavailable,
  isUnknownValue,
} from "./statement-errors.ts";
