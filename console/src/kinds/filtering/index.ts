/** The filter conditions of kinds whose values compare in the same way. */

export {
  CHOICES,
  DAYS,
  ENTRIES,
  FLAGS,
  NUMBERS,
  PARTNERS,
  RECORDS,
  TAGS,
  TEXT,
  USERS,
} from "./filtering.ts";
