/** A row of a file, and a line that is none. */

export interface Row {
  /** The line of the file in which the row begins, from 1. */
  readonly line: number;
  /** The row as it is in the file, without its line end. */
  readonly raw: string;
  readonly cells: Cells;
}

/** Column name → value. CSV has texts; NDJSON has what JSON has. */
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
