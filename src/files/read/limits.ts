/** Limits for an imported file. docs/files.md lists them. */

/** Maximum number of column names. No export has this many, so a file with more is not a table. */
export const COLUMNS_MAX = 2000;
/** Maximum total size of a file's column names, which are stored with the import. */
export const NAMES_MAX_bytes = 256 * 1024;
export const CELL_MAX_bytes = 1024 * 1024;
export const ROW_MAX_bytes = 4 * 1024 * 1024;

/**
 * Whether a string takes more than `max_bytes` in UTF-8. Most strings are so short that this is clear without counting
 * bytes.
 */
export const isLongerThan = (text: string, max_bytes: number): boolean =>
  text.length * 3 > max_bytes && Buffer.byteLength(text) > max_bytes;

export const beginningOf = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
