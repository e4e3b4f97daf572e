/** Starts the sending of traces if a collector is set, and loads OpenTelemetry only then. */

import type { Logger } from "pino";
import type { Tracing, TracingConfig } from "./span.ts";

/** Undefined if no collector is set. */
export async function openTracing(
  config: TracingConfig,
  log: Logger,
): Promise<Tracing | undefined> {
  const { otlpEndpoint: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import("./otlp.ts");
  return createTracing({ ...config, endpoint, log });
}
