/** Builds JSON Schemas, derives the types of their values, and prints them. */

export { type Stored, storedNames, withDates } from "./members.ts";
export { printed, REF } from "./printed-schema.ts";
export { withSecret } from "./shown-once.ts";
export {
  bodySchema,
  boolean,
  CREATED_TS,
  described,
  FINISHED_TS,
  integer,
  type Members,
  nullable,
  number,
  objectSchema,
  type Schemas,
  string,
  type Typed,
  UPDATED_TS,
} from "./typed.ts";
