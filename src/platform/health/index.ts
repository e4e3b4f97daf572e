/** Health checks: whether the process runs, and whether it can serve requests. */

export { addHealth, readinessOf } from "./health.ts";
