/** The parts of the commands that the command line needs. */

export { type CommandTable, type Output, UsageError } from "./command.ts";
export { exitOnSignals, isCanceled } from "./signals.ts";
