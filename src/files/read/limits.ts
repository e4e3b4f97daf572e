/** Limits for the parts of an imported file. docs/files.md lists them. */

/** More names than any export has; a file with more is not a table. */
export const COLUMNS_MAX = 2000;
/** For all column names of a file together, because they are stored with the import. */
export const NAMES_MAX_bytes = 256 * 1024;
export const CELL_MAX_bytes = 1024 * 1024;
export const ROW_MAX_bytes = 4 * 1024 * 1024;

/** Whether a text takes more bytes in UTF-8. Most texts are so short that nothing has to be counted. */
export const isLongerThan = (text: string, max_bytes: number): boolean =>
  text.length * 3 > max_bytes && Buffer.byteLength(text) > max_bytes;

export const beginningOf = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
