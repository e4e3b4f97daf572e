/** The log: JSON lines on stderr, in groups, as a system call for each line would cost too much. */

import pino, { type DestinationStream, type Logger } from "pino";
import { loggedError } from "../errors/index.ts";

/** Members that never reach the log, wherever they are in a logged request. */
const SECRETS = ["req.headers.authorization", "*.access_code", "*.ssn", "*.password"];

const GROUP_bytes = 4096;
const LATE_ms = 100;

/** Lines that are not written yet when the process ends are written then. */
const standardError = (): DestinationStream =>
  pino.destination({ dest: 2, sync: false, minLength: GROUP_bytes, periodicFlush: LATE_ms });

export const createLog = (level: string, destination = standardError()): Logger => {
  const base = { pid: process.pid };
  const serializers = { err: loggedError };
  return pino({ level, redact: SECRETS, base, serializers }, destination);
};
