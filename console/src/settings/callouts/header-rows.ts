/** Headers as rows to be edited: a stored value is never shown, and stays where its row is left empty. */

/** What the service tells in the place of a stored value; sent back it stands for that value. */
const MASK = "***";

export interface HeaderRow {
  /** Of the row, for as long as the form is open. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
  /** Whether a value is stored that is not shown. */
  readonly isStored: boolean;
}

export const rowsOf = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.entries(headers).map(([name, value], key) => ({
    key,
    name,
    value: value === MASK ? "" : value,
    isStored: value === MASK,
  }));

/** What is sent; a row without a name is none. */
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
