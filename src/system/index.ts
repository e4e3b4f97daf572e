/** Failed and slow requests, and the state of the installation, for administrators and operators. */

export { createOutcomes } from "./outcomes.ts";
export { systemOperations } from "./routes.ts";
export { systemSchemas } from "./schemas.ts";
export { deleteOldOutcomes } from "./stored-outcomes.ts";
