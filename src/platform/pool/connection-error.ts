/** Errors of connections. Errors that the server reports are instances of `DatabaseError`. */

import { DatabaseError } from "./driver.ts";

type ConnectionCode =
  /** The connection was lost. */
  | "CONNECTION_CLOSED"
  /** The pool was closed before the statement was sent or while it was running. */
  | "CONNECTION_ENDED"
  | "CONNECT_TIMEOUT";

export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: ConnectionCode;

  constructor(code: ConnectionCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The errors with which the server ends a session: a shutdown, and the time limits of idle sessions and transactions. */
const ENDS_SESSION = /^(57P0[1-5]|25P0[34])$/;

/** Whether the server has ended the session, although the driver has not noticed it yet. */
export const endsSession = (error: Error): boolean =>
  error instanceof DatabaseError && ENDS_SESSION.test(error.code ?? "");

/** Returns the error of a session that is lost because of this error. */
export const lostBy = (error: Error): Error =>
  error instanceof DatabaseError || !hasCode(error)
    ? new ConnectionError("CONNECTION_CLOSED", error.message, { cause: error })
    : error;

/** Adds a code to a driver error that has none. Errors of the server and of the operating system have one. */
export const asConnectionError = (error: Error): Error => (hasCode(error) ? error : lostBy(error));

const hasCode = (error: Error): boolean => "code" in error && error.code !== undefined;
