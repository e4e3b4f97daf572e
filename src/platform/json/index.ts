/** JSON values, their limits, and values that the database cannot store. */

export {
  BATCH_MEMBERS_MAX,
  countJson,
  DEPTH_MAX,
  endOfString,
  findList,
  hasTooManyMembers,
  type JsonExcess,
  type JsonList,
  MEMBERS_MAX,
} from "./json-limits.ts";
export {
  asList,
  asObject,
  canonicalJson,
  choosing,
  givenIn,
  hasNoMembers,
  isObject,
  type Json,
  type JsonObject,
  namesOf,
  parseJson,
  pick,
  sameJson,
} from "./json.ts";
export { depthIssue, unstorableIssues } from "./unstorable.ts";
