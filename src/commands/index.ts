/** What the command line needs to know of its commands. */

export { type CommandTable, UsageError } from "./command.ts";
