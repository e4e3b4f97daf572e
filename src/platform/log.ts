/** The log: JSON lines on stderr, so that stdout stays for what a command answers. */

import pino, { type Logger } from "pino";

/** What never goes to the log, wherever it stands in a logged request. */
const SECRETS = ["req.headers.authorization", "*.access_code", "*.ssn", "*.password"];

export const createLog = (level: string): Logger =>
  pino({ level, redact: SECRETS, base: { pid: process.pid } }, pino.destination(2));
