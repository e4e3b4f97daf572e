/** Where traces are sent to, and which. */

/** Which traces are sent. `parentbased_…` keeps to what the caller's `traceparent` says, if it sent one. */
export const TRACE_SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type TraceSampler = (typeof TRACE_SAMPLERS)[number];

export interface TracingConfig {
  /** The collector's address without `/v1/traces`; undefined sends nothing. */
  readonly otlpEndpoint: string | undefined;
  /** Sent to the collector with each request. */
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined;
  readonly traceServiceName: string;
  readonly traceSampler: TraceSampler;
  /** The share of traces that the samplers with `traceidratio` send, from 0 to 1. */
  readonly traceSamplerArg: number;
}
