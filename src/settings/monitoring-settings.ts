/** The settings for logs, metrics, health checks and traces, which are part of the table in settings/config.ts. */

import { LOGGED_ADDRESSES } from "../platform/http/index.ts";
import {
  collectorAddress,
  integer,
  metricsToken,
  oneOf,
  otlpHeaders,
  share,
} from "./setting-texts.ts";
import { TRACE_SAMPLERS } from "../platform/tracing/index.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const MONITORING_SETTINGS = {
  logLevel: {
    env: "LOG_LEVEL",
    doc: `The least severe level that is logged: ${LOG_LEVELS.join(", ")}.`,
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
      "The port on which `leadport worker` serves `/healthz`, `/readyz` and `/metrics`, on the " +
      "address in `HOST`; 0 chooses a free port. Without it, the worker opens no port.",
    parse: integer(0, 65_535),
  },
  metricsToken: {
    env: "METRICS_TOKEN",
    doc:
      "The token that `GET /metrics` requires in `Authorization: Bearer <token>`: at least 16 " +
      "characters. Without it, anyone who can reach the service can read the metrics.",
    parse: metricsToken,
    secret: true,
  },
  otlpEndpoint: {
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    doc:
      "The address of the OpenTelemetry collector, without `/v1/traces`. For example: " +
      "`http://127.0.0.1:4318`. Traces are sent over HTTP with protobuf (OTLP). Without this " +
      "setting, nothing is traced. See [monitoring.md](monitoring.md).",
    parse: collectorAddress,
    secret: true,
  },
  otlpHeaders: {
    env: "OTEL_EXPORTER_OTLP_HEADERS",
    doc:
      "Headers to send to the collector, as percent-encoded `name=value` pairs separated by " +
      "commas. For example: `Authorization=Bearer%20secret`.",
    parse: otlpHeaders,
    secret: true,
  },
  traceServiceName: {
    env: "OTEL_SERVICE_NAME",
    doc: "The name of the service in traces.",
    parse: String,
    fallback: "leadport",
  },
  traceSampler: {
    env: "OTEL_TRACES_SAMPLER",
    doc:
      `Which traces are sent: ${TRACE_SAMPLERS.map((name) => `\`${name}\``).join(", ")}. ` +
      "With `parentbased_…`, a request's `traceparent` header, if present, determines whether its " +
      "trace is sent.",
    parse: oneOf(...TRACE_SAMPLERS),
    fallback: "parentbased_always_on",
  },
  traceSamplerArg: {
    env: "OTEL_TRACES_SAMPLER_ARG",
    doc: "The share of traces that `traceidratio` and `parentbased_traceidratio` send, from 0 to 1.",
    parse: share,
    fallback: "1",
  },
} as const;
