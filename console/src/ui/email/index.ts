/** Email addresses that look invalid. */

export { looksDeliverable } from "./deliverable.ts";
export { EmailNote } from "./email-note.tsx";
