/** Fictional people, companies and texts. The same seed always creates the same ones. */

export { type Company, createCompanies } from "./companies.ts";
export { createDice, type Dice, type Weighted } from "./dice.ts";
export { createPeople, type Invented } from "./people.ts";
export {
  BUSINESS,
  COMMENTS,
  DUPLICATE_REJECTION,
  JUNK_NAMES,
  LEAD_TAGS,
  LOST_REASONS,
  NEEDS,
  PRODUCTS,
  PROFESSIONS,
  REJECTIONS,
  TASKS,
  TITLES,
} from "./texts.ts";
