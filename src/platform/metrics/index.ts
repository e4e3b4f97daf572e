/** Prometheus metrics. */

export { createMetricsSum, type Figures } from "./metrics-sum.ts";
export { addMetrics, figuresOf, processRegistry, type SharedMetrics } from "./metrics.ts";
export { addPoolMetrics } from "./pool-metrics.ts";
export { addMeasured, type MeasuredGroup, type Sample } from "./measured.ts";
