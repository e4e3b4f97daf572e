/** Checks for email addresses. */

export { looksDeliverable } from "./deliverable.ts";
