/**
 * Request headers as editable rows. Stored values are never shown, and are kept if the input is
 * left empty.
 */

/** The service returns this mask instead of a stored value. Sending it back keeps that value. */
const MASK = "***";

export interface HeaderRow {
  /** Identifies the row while it is edited. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
  /** Whether there is a stored value that is not shown. */
  readonly isStored: boolean;
}

export const rowsOf = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, value], key) => ({
    key,
    name,
    value: value === MASK ? "" : value,
    isStored: value === MASK,
  }));

/** Returns the headers to send. Rows without a name are ignored. */
export const headersOf = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(
    rows
      .filter(({ name, value }) => name.trim() !== "" || value !== "")
      .map(({ name, value, isStored }) => [name.trim(), isStored && value === "" ? MASK : value]),
  );

export const emptyRow = (rows: readonly HeaderRow[]): HeaderRow => ({
  key: Math.max(-1, ...rows.map(({ key }) => key)) + 1,
  name: "",
  value: "",
  isStored: false,
});
