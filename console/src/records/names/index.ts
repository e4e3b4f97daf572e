/** The names that belong to ids. */

export { inBatches } from "./in-batches.ts";
export { PartnerLink, PushedLeadLink, RecordLink, UserName } from "./links.tsx";
export { type Named, usePartnerNames } from "./partner-names.ts";
export { pushedLeadNameQuery } from "./pushed-lead-names.ts";
export { nameQuery, useRecordNames } from "./record-names.ts";
export { useUserNames } from "./user-names.ts";
