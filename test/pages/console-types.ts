/** The record types as the console has them after it has loaded `GET /crm/fields`. */

import { keepTypes, type RecordType } from "../../console/src/record/definitions.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { typeDefinition } from "../../src/records/schemas/index.ts";

export const consoleTypes: readonly RecordType[] = keepTypes(
  Object.values(BUILT_IN_TYPES).map((type) => typeDefinition(type) as never),
);

/** Returns the console's record type with this name. */
export function consoleType(name: string): RecordType {
  const type = consoleTypes.find((one) => one.name === name);
  if (type === undefined) throw new Error(`There is no record type ${name}`);
  return type;
}
