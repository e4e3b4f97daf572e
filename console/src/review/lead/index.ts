/** One partner lead: details, history, possible duplicates. */

export { LeadDetail, leadQuery } from "./lead-detail.tsx";
