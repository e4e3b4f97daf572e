/** The log. JSON lines are written to standard error, in batches to save system calls. */

import pino, { type DestinationStream, type Logger } from "pino";
import { loggedError } from "../errors/index.ts";

/** Paths of members whose values are redacted in the log. */
const SECRETS = ["req.headers.authorization", "*.access_code", "*.ssn", "*.password"];

const BATCH_bytes = 4096;
const FLUSH_EVERY_ms = 100;

/** Writes any buffered lines when the process exits. */
const standardError = (): DestinationStream =>
  pino.destination({ dest: 2, sync: false, minLength: BATCH_bytes, periodicFlush: FLUSH_EVERY_ms });

export const createLog = (level: string, destination = standardError()): Logger => {
  const base = { pid: process.pid };
  const serializers = { err: loggedError };
  return pino({ level, redact: SECRETS, base, serializers }, destination);
};
