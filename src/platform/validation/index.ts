/** JSON Schema, parameters, timestamps, and the issues of a 422 response. */

export { gatherIssues } from "./gather-issues.ts";
export { futureFaults, momentFaults, momentOf } from "./moment.ts";
export {
  fieldsParameter,
  type Given,
  type Parameters,
  parameterSchema,
  readParameters,
} from "./parameters.ts";
export { shownIssues } from "./shown-issues.ts";
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
