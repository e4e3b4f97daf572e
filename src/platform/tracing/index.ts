/** Traces of requests, statements, outgoing calls and background jobs: docs/monitoring.md, "Traces". */

export { openTracing } from "./open.ts";
export { TRACE_SAMPLERS } from "./trace-settings.ts";
export {
  beginTiming,
  isNoting,
  noteAdmitted,
  noteAnswered,
  noted,
  notedTransaction,
  tellTiming,
  timed,
} from "./server-timing.ts";
export { beforeSettled, type SettledQuery } from "./settled-query.ts";
export { type Attributes, during, type Span, type Tracing } from "./span.ts";
export { traceStatement } from "./statements.ts";
