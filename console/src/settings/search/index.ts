/** Search parameters and choices of the settings. */

export { type Choice, countries, currencies, timezones, withPresent } from "./choices.ts";
export {
  type AuditSearch,
  readAuditSearch,
  readSystemSearch,
  readTab,
  SHOWN,
  type SystemSearch,
  type Tab,
  TABS,
} from "./search.ts";
