/** Traces of requests, statements, outgoing calls and background jobs: docs/monitoring.md, "Traces". */

export { openTracing, TRACE_SAMPLERS } from "./open.ts";
export { addTracing, spanOf } from "./requests.ts";
export { errorTypeOf, type Attributes, type Span, type Tracing } from "./span.ts";
export { traceStatement } from "./statements.ts";
