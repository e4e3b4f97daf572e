/** Temporary files for slow readers of exports, and for imports that are read twice. */

export { Rereadable, type SecondReading } from "./rereading.ts";
export { Spool } from "./temporary-files.ts";
