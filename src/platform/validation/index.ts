/** JSON Schema, parameters, timestamps, and the issues of a 422 response. */

export { gatherIssues } from "./gather-issues.ts";
export { type Stored, storedNames, withDates } from "./members.ts";
export { futureFaults, momentFaults, momentOf } from "./moment.ts";
export {
  linkNext,
  type Page,
  PAGE_PARAMETERS,
  PAGE_SCHEMAS,
  pageOf,
  type PageQuery,
  queryError,
  refuseCursorWithPageNum,
  type Slice,
  sliceOf,
  sendCount,
  wantsCount,
} from "./paging.ts";
export {
  fieldsParameter,
  type Given,
  type Parameters,
  parameterSchema,
  readParameters,
} from "./parameters.ts";
export { printed, REF } from "./printed-schema.ts";
export { shownIssues } from "./shown-issues.ts";
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
export {
  type Check,
  checker,
  enumFault,
  extraForbidden,
  type Fault,
  frozenIssue,
  type Rule,
  type Schema,
  tooLong,
  valueError,
} from "./validation.ts";
