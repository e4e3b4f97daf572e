/** What several commands need: arguments, the installation, tenants and tokens. */

export { type Command, type CommandTable, UsageError } from "./command.ts";
