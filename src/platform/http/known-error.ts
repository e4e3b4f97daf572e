/** Determines the error that a failed request returns. */

import {
  isNotStarted,
  WriteConflict,
  isContended,
  isTooCostly,
  isUnavailable,
} from "../failed-statements/index.ts";
import { AppError, ValidationError, codeOf } from "../errors/index.ts";
import { diskFull, isDiskFull } from "../storage/index.ts";

export const RETRY_SOON = { "retry-after": "2" };

/** The error for an invalid Content-Type. A body that is not JSON gets the same error. */
const NO_MEDIA_TYPE = new ValidationError([
  {
    type: "model_attributes_type",
    loc: ["body"],
    msg: "Input should be a valid dictionary or object to extract fields from",
    input: null,
  },
]);

/** Returns what a request that fails with `error` responds with: `internal` if the error is unexpected. */
export function knownError(error: unknown): AppError | ValidationError {
  if (error instanceof AppError || error instanceof ValidationError) return error;
  if (isNotStarted(error)) return new AppError("not_started", { headers: RETRY_SOON });
  if (isUnavailable(error)) return new AppError("database_unavailable", { headers: RETRY_SOON });
  if (isDiskFull(error)) return diskFull();
  if (isTooCostly(error)) return new AppError("too_slow", { headers: RETRY_SOON });
  if (isContended(error)) return new WriteConflict();
  switch (codeOf(error)) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return NO_MEDIA_TYPE;
    case "FST_ERR_BAD_URL":
      return new AppError("not_found");
    default:
      return new AppError("internal");
  }
}
