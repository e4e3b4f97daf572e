/** The published and checked JSON Schemas of a record type, its rules, and its definition as data. */

export { FIELD_KINDS, ORIGINS, typeDefinition } from "./field-definitions.ts";
export { printedRequest, REPEATED_SCHEMAS } from "./printed-requests.ts";
export { conditionFaults, dateFaults, recordRules, sumFaults } from "./rules.ts";
export { newStamps, sampleRecord } from "./sample-record.ts";
export {
  checkedSchema,
  frozenNames,
  readOnlyNames,
  requestName,
  requestSchema,
  responseSchema,
  withoutStamps,
} from "./schemas.ts";
