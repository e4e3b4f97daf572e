/** What several commands need: arguments, the installation, tenants and tokens. */

export { type Command, UsageError } from "./command.ts";
