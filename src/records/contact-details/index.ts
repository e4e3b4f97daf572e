/** Emails, phone numbers, websites and lists of them: which values are valid, and which values match. */

export { emailKey, looksDeliverable } from "./email.ts";
export {
  deduplicated,
  derivedIn,
  derivedOf,
  type Entry,
  ENTRY_KEYS,
  entryOf,
  hasMain,
  isMain,
  isNumberOf,
  isOtherEntry,
  listedKeys,
  MAIN,
  storedEntries,
} from "./entries.ts";
export { type ContactDetails, keyTexts, type PersonKeys, personKeys } from "./person-keys.ts";
export {
  type CountryCode,
  isPhone,
  keyedPhoneEntry,
  nationalDigits,
  phoneKey,
  phoneText,
} from "./phone.ts";
export { companyDomain } from "./website.ts";
