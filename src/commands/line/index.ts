/** The command line: parsing, help, suggestions and completion. */

export { commandHelp, overview } from "./help.ts";
export { findCommand, parseWords, unknownCommand } from "./parse.ts";
