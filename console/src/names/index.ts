/** Names of records, partners, partner leads and users, by ID. */

export { PartnerLink, PushedLeadLink, RecordLink, UserName } from "./links.tsx";
export { type Named, usePartnerNames } from "./partner-names.ts";
export { nameQuery, useRecordNames } from "./record-names.ts";
export { useUserNames } from "./user-names.ts";
