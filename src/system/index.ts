/** What administrators and operators see of the service itself: failed and slow requests, its state. */

export { createOutcomes } from "./outcomes.ts";
export { systemOperations } from "./routes.ts";
export { systemSchemas } from "./schemas.ts";
export { forgetOutcomes } from "./stored-outcomes.ts";
