/** The operations on records. */

export { authorOf, partsFor, type RecordsDeps, typeFor } from "./record-operation.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
