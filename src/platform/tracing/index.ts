/** Traces of requests, statements, outgoing calls and background jobs: docs/monitoring.md, "Traces". */

export { openTracing, TRACE_SAMPLERS } from "./open.ts";
export { addTracing, spanOf } from "./requests.ts";
export { during, type Attributes, type Span, type Tracing } from "./span.ts";
export { traceStatement } from "./statements.ts";
