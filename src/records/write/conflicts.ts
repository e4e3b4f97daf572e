/** Values that only one record of a type can have, and the errors if another record has one of them. */

import { AppError } from "../../platform/errors/index.ts";
import type { RecordType } from "../types/index.ts";
import { uniqueFields } from "../columns/index.ts";
import type { Values } from "../body/index.ts";
import { findByUnique, type Writer } from "../store/index.ts";

/** A unique value that a stored record or an earlier record in the same call already has. */
export interface TakenValue {
  readonly name: string;
  readonly value: string;
  readonly existing_id: string;
}

/** Whether the values include one that must be unique, so that another record may already have it. */
export const hasUnique = (type: RecordType, values: Values): boolean =>
  uniqueFields(type).some((name) => typeof values[name] === "string");

export const takenMessage = (name: string): string =>
  `There is already a record of this type with this ${name}`;

/**
 * Returns the error for a unique value that is taken. It contains the field and the id of the existing record. `own` is
 * the id of the record being written, if it exists.
 */
export async function conflictOf(
  { scope, type }: Pick<Writer, "scope" | "type">,
  values: readonly Values[],
  own?: string,
): Promise<AppError> {
  for (const name of uniqueFields(type)) {
    for (const { [name]: value } of values) {
      if (typeof value !== "string") continue;
      const existing_id = await findByUnique(scope, type, name, value);
      if (existing_id === undefined || existing_id === own) continue;
      return new AppError("conflict", { detail: takenMessage(name), members: { existing_id } });
    }
  }
  return new AppError("conflict", {
    detail: "Two of the records have the same value in a unique field",
  });
}

/** Returns the 409 error for unique values that are taken. */
export const takenError = (taken: readonly TakenValue[]): AppError =>
  new AppError("conflict", {
    detail: taken.map(({ name }) => takenMessage(name)).join("; "),
    members: { existing_id: taken[0]?.existing_id },
  });
