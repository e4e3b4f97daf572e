/** Checks of email addresses. */

export { looksDeliverable } from "./deliverable.ts";
