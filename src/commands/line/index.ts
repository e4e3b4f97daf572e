/** The command line itself: which command was called with what, help, suggestions, completion. */

export { commandHelp, overview } from "./help.ts";
export { findCommand, parseWords, unknownCommand } from "./parse.ts";
