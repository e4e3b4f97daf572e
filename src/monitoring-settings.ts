/** The settings of the log, the metrics and the health checks: a part of the table in config.ts. */

import { LOGGED_ADDRESSES } from "./platform/request-log.ts";
import { integer, metricsToken, oneOf } from "./platform/setting-texts.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const MONITORING_SETTINGS = {
  logLevel: {
    env: "LOG_LEVEL",
    doc: `What goes to the log: ${LOG_LEVELS.join(", ")}.`,
    parse: oneOf(...LOG_LEVELS),
    fallback: "info",
  },
  logAddresses: {
    env: "LOG_ADDRESSES",
    doc:
      "How the client's address is logged: `full`, `short` (the /24 network of an IPv4 address, the /48 " +
      "network of an IPv6 address) or `off`.",
    parse: oneOf(...LOGGED_ADDRESSES),
    fallback: "full",
  },
  workerPort: {
    env: "WORKER_PORT",
    doc:
      "The port on which `leadport worker` serves `/healthz`, `/readyz` and `/metrics`, on the address of " +
      "`HOST`; 0 takes a free one. Without it the worker opens no port.",
    parse: integer(0, 65_535),
    optional: true,
  },
  metricsToken: {
    env: "METRICS_TOKEN",
    doc:
      "What `GET /metrics` must carry as `Authorization: Bearer <token>`: at least 16 characters. Without " +
      "it, anyone who reaches the service can read the metrics.",
    parse: metricsToken,
    optional: true,
    secret: true,
  },
} as const;
