/** Invented people, companies and sentences, the same for the same seed. */

export { type Company, createCompanies } from "./companies.ts";
export { createDice, type Dice, type Weighted } from "./dice.ts";
export { createPeople, type Invented } from "./people.ts";
export * as texts from "./texts.ts";
export { BUSINESS } from "./texts.ts";
