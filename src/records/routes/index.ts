/** The operations on records. */

export { authorOf, partsFor, type RecordsDeps, typeFor } from "./operation-parts.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
