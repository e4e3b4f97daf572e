/** One pushed lead: facts, history, possible duplicates. */

export { LeadDetail, leadQuery } from "./lead-detail.tsx";
