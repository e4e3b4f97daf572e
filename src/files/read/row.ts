/** Rows of a file, and lines that are not valid rows. */

export interface Row {
  /** The number of the line on which the row starts, counting from 1. */
  readonly line: number;
  /** The text of the row in the file, without its line end. */
  readonly raw: string;
  readonly cells: Cells;
}

/** Column name → value. Values are strings in CSV, and any JSON value in NDJSON. */
export interface Cells extends Iterable<readonly [string, unknown]> {
  readonly get: (name: string) => unknown;
  readonly keys: () => Iterable<string>;
  readonly values: () => Iterable<unknown>;
}

export interface UnreadableRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
}
