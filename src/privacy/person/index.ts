/** Recognizes a person in stored data, finds their records, and determines the recipients of their data. */

export { deliveriesAbout } from "./deliveries-about.ts";
export { findPerson, termsOf } from "./find-person.ts";
export {
  EFFECTS,
  type FoundRecord,
  type PlannedRecord,
  PUSHED_LEAD,
  REASONS,
  REJECTED_ROW,
  rejectedPlace,
  REMOVED,
} from "./found-records.ts";
export { findMentions, MENTIONS_MAX } from "./mentions.ts";
export { type Recipient, RECIPIENT_KINDS, recipientsOf } from "./recipients.ts";
export { scanRows } from "./scan.ts";
export { readStored, SECTION_MAX } from "./stored-data.ts";
export { joinTerms, type Matcher, matcherOf, type Terms, termsIn } from "./terms.ts";
