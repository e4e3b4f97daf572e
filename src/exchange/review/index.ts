/** Review of pushed leads: decisions, possible duplicates, imports, and the stream of the buffer. */

export { importIntoRecords } from "./import-lead.ts";
export { decide, type Decision } from "./review.ts";
export { REVIEW_SCHEMAS, reviewShapes } from "./review-bodies.ts";
export { reviewOperations } from "./review-routes.ts";
export {
  createImportLead,
  describedImports,
  LEAD_IMPORTED,
  leadImportedTopic,
  withDeliveries,
} from "./webhook-import.ts";
