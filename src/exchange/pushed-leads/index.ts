/** Pushed leads: their states, the transitions between states, and their representation in responses. */

export { clearImported, erasePushed } from "./erase-pushed.ts";
export { expireSome } from "./expiry.ts";
export { mergedLeads } from "./merged-leads.ts";
export { PUSHED_LEAD } from "../../events/index.ts";
export { hasExpired, moveLead } from "./move-lead.ts";
export {
  AUTO_ACCEPT,
  findPushed,
  freshlyPushed,
  IMPORT_WEBHOOK,
  PUSHED_SCHEMAS,
  type PushedLead,
  pushedNames,
  readPushed,
  shownToPartner,
  shownToTenant,
} from "./pushed-lead.ts";
export { listPushed, PUSHED_PARAMETERS, PUSHED_PATH, REVIEW_PARAMETERS } from "./pushed-list.ts";
export {
  FIRST,
  type LeadEvent,
  type OPEN,
  type PushedStatus,
  STATUSES,
  TRANSITIONS,
} from "./states.ts";
