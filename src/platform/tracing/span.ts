/** Spans without OpenTelemetry, which is loaded only if traces are sent. */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `internal` without it. */
  readonly kind?: "internal" | "server" | "client";
  readonly attributes?: Attributes;
  /** When it started, in milliseconds of `performance.now`; now without it. */
  readonly start_ms?: number;
}

export interface RootOptions extends SpanOptions {
  /** The `traceparent` header (W3C Trace Context) of the caller. One that cannot be read is ignored. */
  readonly traceparent?: string | undefined;
}

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Whether its trace is sent. If not, nothing within it needs a span. */
  readonly isSampled: boolean;
  readonly start: (name: string, options?: SpanOptions) => Span;
  readonly set: (attributes: Attributes) => void;
  /** Marks it as failed. The type is a code or a class of errors, never a message. */
  readonly fail: (errorType: string) => void;
  /** Ends it. Later calls change nothing. */
  readonly end: () => void;
}

/** Starts traces and sends them to a collector. */
export interface Tracing {
  readonly start: (name: string, options?: RootOptions) => Span;
  /** Sends what is left, within a second. */
  readonly close: () => Promise<void>;
}

/** The type of an error, for a span: its code, its kind of failure or its class. */
export function errorTypeOf(error: unknown): string {
  const { code, fault, name } = (error ?? {}) as Readonly<Record<string, unknown>>;
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
  readonly otlpHeaders: Readonly<Record<string, string>> | undefined;
  readonly traceServiceName: string;
  readonly traceSampler: TraceSampler;
  /** The share of traces that the samplers with `traceidratio` send, from 0 to 1. */
  readonly traceSamplerArg: number;
}
