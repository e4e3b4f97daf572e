/** The settings of the log, the metrics and the health checks: a part of the table in config.ts. */

import { LOGGED_ADDRESSES } from "./platform/request-log.ts";
import { metricsToken, oneOf } from "./platform/setting-texts.ts";

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
