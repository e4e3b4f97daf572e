/** Takes the place of src/records/types/import-names in the pages, which have no use for those names. */

export const IMPORT_NAMES = {};
