/** The operations on records. */

export { authorOf, type RecordsDeps } from "./record-operation.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
