/** What a module contributes to the service, and the contributions of `platform` itself. */

export type { Module, Operations, Personal, PersonalColumns, Works } from "./module.ts";
export { platformModule } from "./platform-module.ts";
