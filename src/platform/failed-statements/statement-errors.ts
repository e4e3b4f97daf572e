/** What the error of a statement means. */

import { codeOf } from "../errors/index.ts";
import { DATABASE_SILENT, NOT_STARTED } from "../database/index.ts";

/** Error codes of the pool and of sockets if the database cannot be reached. */
const NO_CONNECTION = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  DATABASE_SILENT,
  NOT_STARTED,
]);

/** Whether a statement failed because the database cannot be reached, or is starting or stopping. */
export const isUnavailable = (error: unknown): boolean =>
  NO_CONNECTION.has(codeOf(error)) || /^(08|57P0|53300)/.test(codeOf(error));

/** Whether a request failed because it did not start in time or its client disconnected. */
export const isNotStarted = (error: unknown): boolean => codeOf(error) === NOT_STARTED;

/** Whether the database canceled a statement that took too long, or rejected a pattern as too complex. */
export const isTooCostly = (error: unknown): boolean =>
  codeOf(error) === "57014" || codeOf(error) === "2201B";

/** Whether the database rejected a value as unknown, such as a time zone. */
export const isUnknownValue = (error: unknown): boolean => codeOf(error) === "22023";

/** Whether a statement violated a unique constraint. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === "23505";

/**
 * Whether a transaction may succeed if it is retried: it collided with a concurrent write of the
 * same unique value, or the database ended it because of a deadlock or serialization failure.
 */
export const isRetriable = (error: unknown): boolean =>
  isDuplicate(error) || /^40(001|P01)$/.test(codeOf(error));

/** Whether a statement failed while waiting for a lock, because of a timeout or a deadlock. */
export const isContended = (error: unknown): boolean => /^(55P03|57014|40P01)$/.test(codeOf(error));
