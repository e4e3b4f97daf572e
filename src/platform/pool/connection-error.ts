/** Errors of connections. Errors that the server reports are instances of `DatabaseError`. */

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

/** Adds a code to a driver error that has none. Errors of the server and of the operating system have one. */
export const asConnectionError = (error: Error): Error =>
  "code" in error && error.code !== undefined
    ? error
    : new ConnectionError("CONNECTION_CLOSED", error.message, { cause: error });
