/** Fictional people, companies and texts. The same seed always creates the same ones. */

export { type Company, createCompanies } from "./companies.ts";
export { createDice, type Dice, type Weighted } from "./dice.ts";
export { createPeople, type Invented } from "./people.ts";
export * as texts from "./texts.ts";
export { BUSINESS } from "./texts.ts";
