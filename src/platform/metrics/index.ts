/** Prometheus metrics, health checks, and the release that is running. */

export { addHealth, readinessOf } from "./health.ts";
export { createMetricsSum, type Figures } from "./metrics-sum.ts";
export { addMetrics, figuresOf, processRegistry, type SharedMetrics } from "./metrics.ts";
export { addPoolMetrics } from "./pool-metrics.ts";
export { release } from "./release.ts";
