/** The app, the worker, and the description of the API. */

export { buildApp } from "./app.ts";
export { addInstallationMetrics, readEvents, readJobs } from "./installation-metrics.ts";
export { buildWorkerApp } from "./worker-app.ts";
export { startWorker } from "./worker.ts";
