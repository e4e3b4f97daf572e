/** The public types of the command line. */

export { type CommandTable, UsageError } from "./command.ts";
