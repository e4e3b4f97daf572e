/** What a module contributes to the service, and the contributions of `platform` itself. */

export type {
  BasicServices,
  Module,
  Operations,
  Personal,
  PersonalColumns,
  Sample,
  Works,
} from "./module.ts";
export { platformModule } from "./platform-module.ts";
