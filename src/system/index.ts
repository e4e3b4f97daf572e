/** Reports failed and slow requests and the installation's state to administrators and operators. */

export { createOutcomes } from "./outcomes.ts";
export { systemOperations } from "./routes.ts";
export { systemSchemas } from "./schemas.ts";
export { deleteOldOutcomes } from "./stored-outcomes.ts";
