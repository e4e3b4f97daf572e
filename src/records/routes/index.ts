/** The operations on records. */

export { authorOf, writerOf } from "./operation-parts.ts";
export { recordOperations, recordSchemas } from "./routes.ts";
