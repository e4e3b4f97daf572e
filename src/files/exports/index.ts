/** Exports of records. */

export { type ExportDeps, exportOperations } from "./export-routes.ts";
export { openExport } from "./export.ts";
