/** The HTTP app, the worker, and the metrics of the installation. */

export { buildApp } from "./app.ts";
export { addInstallationMetrics, readEvents, readJobs } from "./installation-metrics.ts";
export { buildWorkerApp } from "./worker-app.ts";
export { startWorker } from "./worker.ts";
