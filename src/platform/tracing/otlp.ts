/**
 * Sends traces to a collector over OTLP (protobuf over HTTP), using the OpenTelemetry SDK. Requests never wait for the
 * collector: spans go into a bounded queue, and are dropped if the queue is full or they cannot be sent.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as api from "@opentelemetry/api";
import { ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { VERSION } from "../storage/index.ts";
import type {
  Attributes,
  RootOptions,
  Span,
  SpanOptions,
  TraceSampler,
  Tracing,
  TracingConfig,
} from "./span.ts";

interface OtlpOptions extends TracingConfig {
  readonly endpoint: string;
  readonly log: Logger;
}

/** Maximum number of spans in the queue. Further spans are dropped. */
const QUEUE_MAX = 4096;
const BATCH_MAX = 512;
const BATCH_EVERY_ms = 2_000;
/** Timeout for sending a batch, including retries. */
const SEND_WITHIN_ms = 5_000;
/** How long the process waits for the last batches when it exits. */
const CLOSE_WITHIN_ms = 1_000;
const WARN_EVERY_ms = 5 * 60_000;
/** Maximum number of spans in a request or job. An export of a million records has thousands of statements. */
const WITHIN_MAX = 500;

export function createTracing(options: OtlpOptions): Tracing {
  const { endpoint, otlpHeaders = {}, log, traceServiceName, traceSampler } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: otlpHeaders,
    timeoutMillis: SEND_WITHIN_ms,
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(
        resourceFromAttributes({
          "service.name": traceServiceName,
          "service.version": VERSION,
          "service.instance.id": randomUUID(),
          "process.pid": process.pid,
        }),
      ),
    sampler: SAMPLERS[traceSampler](options.traceSamplerArg),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: warning(exporter, log),
        maxQueueSize: QUEUE_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: BATCH_EVERY_ms,
      }),
    ],
  });
  const tracer = provider.getTracer("leadport", VERSION);
  return {
    start: (name, root = {}) =>
      new OtlpSpan(tracer, { remaining: WITHIN_MAX }, begin(tracer, name, root, contextOf(root))),
    close: async (within_ms = CLOSE_WITHIN_ms) => {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(within_ms, undefined, { ref: false })]);
    },
  };
}

const SAMPLERS: Readonly<Record<TraceSampler, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** Wraps an exporter so that failures are logged, at most one line every few minutes. */
function warning(exporter: SpanExporter, log: Logger): SpanExporter {
  let lost = 0;
  let warned_ms = -Infinity;
  const warn = (spans: number, error: Error | undefined): void => {
    lost += spans;
    const now_ms = performance.now();
    if (now_ms - warned_ms < WARN_EVERY_ms) return;
    const text =
      "Sending traces failed and they were dropped. Check OTEL_EXPORTER_OTLP_ENDPOINT and " +
      "OTEL_EXPORTER_OTLP_HEADERS. The collector must accept OTLP over HTTP (default port: 4318).";
    log.warn({ spans: lost, reason: error?.message }, text);
    lost = 0;
    warned_ms = now_ms;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) warn(spans.length, result.error);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Returns the parent context of a root span: the client's span if the client sent one. */
function contextOf({ traceparent }: RootOptions): api.Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  if (parent === null) return api.ROOT_CONTEXT;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true });
}

const KINDS = {
  server: api.SpanKind.SERVER,
  client: api.SpanKind.CLIENT,
  internal: api.SpanKind.INTERNAL,
};

function begin(
  tracer: api.Tracer,
  name: string,
  { kind = "internal", attributes = {}, start_ms }: SpanOptions,
  context: api.Context,
): api.Span {
  const options = { kind: KINDS[kind], attributes };
  const started = start_ms === undefined ? options : { ...options, startTime: start_ms };
  return tracer.startSpan(name, started, context);
}

/** The number of spans that a request or job may still create. */
interface Budget {
  remaining: number;
}

class OtlpSpan implements Span {
  readonly #tracer: api.Tracer;
  readonly #budget: Budget;
  readonly #span: api.Span;
  #inside: api.Context | undefined;

  constructor(tracer: api.Tracer, budget: Budget, span: api.Span) {
    this.#tracer = tracer;
    this.#budget = budget;
    this.#span = span;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get isSampled(): boolean {
    return this.#span.isRecording();
  }

  start(name: string, options: SpanOptions = {}): Span {
    if (this.#budget.remaining === 0) return { ...UNSAMPLED, traceId: this.traceId };
    this.#budget.remaining -= 1;
    this.#inside ??= api.trace.setSpan(api.ROOT_CONTEXT, this.#span);
    const span = begin(this.#tracer, name, options, this.#inside);
    return new OtlpSpan(this.#tracer, this.#budget, span);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    this.#span.setAttribute("error.type", errorType);
    this.#span.setStatus({ code: api.SpanStatusCode.ERROR });
  }

  end(): void {
    if (this.#span.isRecording()) this.#span.end();
  }
}

const UNSAMPLED: Omit<Span, "traceId"> = {
  isSampled: false,
  start: () => ({ ...UNSAMPLED, traceId: "" }),
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};
