/** Starts tracing if a collector is configured. OpenTelemetry is loaded only in that case. */

import type { Logger } from "pino";
import type { Tracing, TracingConfig } from "./span.ts";

/** Starts tracing. Returns undefined if no collector is configured. */
export async function openTracing(
  config: TracingConfig,
  log: Logger,
): Promise<Tracing | undefined> {
  const { otlpEndpoint: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import("./otlp.ts");
  return createTracing({ ...config, endpoint, log });
}
