/** What the names of columns mean: the fields that a column could be read into. */

export { contactColumn, socialPlatform } from "./contact-headings.ts";
export { plainName, subjectTypes, targetOf, targetsOf, wholeName } from "./heading-meanings.ts";
export { DELETED } from "./heading-names.ts";
export {
  type HeadingReport,
  isOwnExport,
  isRejectHeading,
  matchHeadings,
  REJECT_HEADINGS,
} from "./headings.ts";
