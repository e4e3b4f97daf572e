/** Span types that do not depend on OpenTelemetry, which is loaded only if traces are sent. */

import { isObject } from "../json/index.ts";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: "internal" | "server" | "client";
  readonly attributes?: Attributes;
  /** The start time in milliseconds, as returned by `performance.now`. Default: now. */
  readonly start_ms?: number;
}

export interface RootOptions extends SpanOptions {
  /** The client's `traceparent` header (W3C Trace Context). Invalid values are ignored. */
  readonly traceparent?: string | undefined;
}

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Whether the trace is sent. If not, no child spans are needed. */
  readonly isSampled: boolean;
  readonly start: (name: string, options?: SpanOptions) => Span;
  readonly set: (attributes: Attributes) => void;
  /** Marks the span as failed. The type is an error code or class, never a message. */
  readonly fail: (errorType: string) => void;
  /** Ends the span. Later calls have no effect. */
  readonly end: () => void;
}

/** Starts traces and sends them to a collector. */
export interface Tracing {
  readonly start: (name: string, options?: RootOptions) => Span;
  /** Sends the remaining spans. Takes at most a second by default. */
  readonly close: (within_ms?: number) => Promise<void>;
}

/** Returns the type of an error for a span: its code, fault or class. */
export function errorTypeOf(error: unknown): string {
  const { code, fault, name }: Readonly<Record<string, unknown>> = isObject(error) ? error : {};
  return String(code ?? fault ?? name ?? "error");
}

export async function during<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Samplers select the traces to send. The `parentbased_…` samplers follow the client's `traceparent`, if any. */
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
  /** The collector's URL without `/v1/traces`. Undefined disables tracing. */
  readonly otlpEndpoint: string | undefined;
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined;
  readonly traceServiceName: string;
  readonly traceSampler: TraceSampler;
  /** The share of traces that `traceidratio` samplers send, from 0 to 1. */
  readonly traceSamplerArg: number;
}
