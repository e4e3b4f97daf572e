/** Removes empty rows from a list in a form. */

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** Whether a row of a list is empty. Nested values must be empty as well. */
const isEmptyRow = (row: unknown): boolean =>
  isNothing(row) || (typeof row === "object" && Object.values(row as object).every(isEmptyRow));

/** Returns the list without empty rows. */
export const withoutEmptyRows = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((row) => !isEmptyRow(row)) : value;
