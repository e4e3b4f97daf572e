/**
 * The log: JSON lines on stderr, so that stdout stays for what a command answers. Lines are written
 * together, a moment late: a system call for each would be a tenth of what a small request costs.
 */

import pino, { type Logger } from "pino";

/** What never goes to the log, wherever it stands in a logged request. */
const SECRETS = ["req.headers.authorization", "*.access_code", "*.ssn", "*.password"];

const TOGETHER_bytes = 4096;
const LATE_ms = 100;

/** What is not yet written when the process ends is written then. */
export const createLog = (level: string): Logger => {
  const lines = { minLength: TOGETHER_bytes, periodicFlush: LATE_ms };
  const destination = pino.destination({ dest: 2, sync: false, ...lines });
  return pino({ level, redact: SECRETS, base: { pid: process.pid } }, destination);
};
