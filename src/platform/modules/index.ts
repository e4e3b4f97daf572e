/** What a module contributes to the service, and the contributions of `platform` itself. */

export {
  type BasicServices,
  COUNT_MAX,
  type Module,
  type Operations,
  type Personal,
  type PersonalColumns,
  type Sample,
  type Works,
} from "./module.ts";
export { platformModule } from "./platform-module.ts";
