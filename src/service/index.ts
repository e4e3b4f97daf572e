/** The HTTP app, the worker, and what they collect from the modules. */

export { buildApp } from "./app.ts";
export { addInstallationMetrics, readMetrics } from "./installation-metrics.ts";
export { EXCLUDED_FROM_EXPORT, PARTICIPANTS, PERSONAL_COLUMNS } from "./modules.ts";
export { buildWorkerApp } from "./worker-app.ts";
export { startWorker } from "./worker.ts";
