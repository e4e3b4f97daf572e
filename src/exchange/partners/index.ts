/** Partners: settings, credentials, tokens, and what they may see. */

export {
  findInRecords,
  type FindPerson,
  type FoundPerson,
  PERSONS,
  personsSql,
} from "./find-match.ts";
export { partnerAdminOperations } from "./partner-admin-routes.ts";
export {
  bodyShape,
  isBlank,
  PARTNER_SCHEMAS,
  type PartnerShapes,
  partnerShapes,
} from "./partner-bodies.ts";
export {
  confirmation,
  createPartnerDoor,
  noPartner,
  type PartnerCaller,
  partnerCredential,
  type PartnerDoor,
  partnerIdentity,
  partnerScope,
  PORTAL_COOKIE,
  refuseRemembered,
} from "./partner-caller.ts";
export { createPartnerTokens, type PortalToken } from "./partner-token.ts";
export { findPartner, type Partner } from "./partners.ts";
export { type Credentials, enterCode } from "./token-exchange.ts";
export { tokenOperation, type TokenRouteDeps } from "./token-routes.ts";
export { planView, viewSchema } from "./views.ts";
