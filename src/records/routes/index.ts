/** The operations on records. */

export { authorOf, type RecordsDeps } from "./operation-parts.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
