/** Search parameters of the settings pages, and inputs for regional settings. */

export { type Choice, withPresent } from "./choices.ts";
export { RegionInputs } from "./region-inputs.tsx";
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
