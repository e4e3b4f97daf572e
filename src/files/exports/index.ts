/** Exports, and temporary files for slow readers. */

export { type ExportDeps, exportOperations } from "./export-routes.ts";
export { openExport } from "./export.ts";
export { Spool } from "./temporary-files.ts";
