/** Whether a tenant knows a person, and whether the person is active. */

export {
  findInRecords,
  type FindPerson,
  type FoundPerson,
  isPersonSql,
  PERSONS,
} from "./find-match.ts";
