/** Replaces src/records/types/import-names in the pages, which do not need those names. */

export const IMPORT_NAMES = {};
