/** Traces of requests, statements, outgoing requests and background jobs: docs/monitoring.md, "Traces". */

export { openTracing } from "./open.ts";
export {
  beginTiming,
  noteAdmitted,
  noteResponded,
  noted,
  notedTransaction,
  sendTiming,
  timed,
} from "./server-timing.ts";
export { type Attributes, during, type Span, TRACE_SAMPLERS, type Tracing } from "./span.ts";
export { traceStatement } from "./statements.ts";
