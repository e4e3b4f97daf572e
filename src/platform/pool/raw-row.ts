/** A row whose columns have not been parsed. */

/**
 * The columns of a row as bytes. They are parts of a larger buffer, so copy what is kept for long.
 *
 * This is a class and not a list, because V8 allocates lists from a place whose lists often survive a collection directly
 * in the old generation. The rows of a page would then stay in memory until the next full collection.
 */
export class RawRow {
  readonly #bytes: Buffer;

  /** `bytes` is the body of a DataRow message (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Returns the length of a column in bytes, or -1 if it is null. */
  lengthOf(column: number): number {
    return this.#bytes.readInt32BE(this.#place(column));
  }

  /** Returns a column, or null if it is null. */
  column(column: number): Buffer | null {
    const start = this.#place(column) + 4;
    const length = this.#bytes.readInt32BE(start - 4);
    return length < 0 ? null : this.#bytes.subarray(start, start + length);
  }

  /** Returns all columns from this one on. */
  columnsFrom(first: number): readonly (Buffer | null)[] {
    const count = this.#bytes.readInt16BE(0);
    return Array.from({ length: count - first }, (_, at) => this.column(first + at));
  }

  /** Returns the place of a column's length. */
  #place(column: number): number {
    let at = 2;
    for (let before = 0; before < column; before += 1) {
      at += 4 + Math.max(0, this.#bytes.readInt32BE(at));
    }
    return at;
  }
}
