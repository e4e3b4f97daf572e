/** Email addresses as they are typed. */

export { looksDeliverable } from "./deliverable.ts";
