/** The operations on records. */

export { authorOf } from "./operation-parts.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
