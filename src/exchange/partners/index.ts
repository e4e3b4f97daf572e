/** Partners: their settings, credentials, tokens, and the records that they may see. */

export { partnerAdminOperations } from "./partner-admin-routes.ts";
export {
  isBlank,
  OWN_SETTING_NAMES,
  PARTNER_DEFAULTS,
  type Partner,
  PARTNER_SCHEMAS,
  type SentPartner,
  type PartnerShapes,
  partnerShapes,
} from "./partner-bodies.ts";
export {
  confirmation,
  createPartnerAuthentication,
  PARTNER_HEADERS,
  type PartnerCaller,
  partnerCredential,
  partnerIdentity,
  partnerScope,
  PORTAL_COOKIE,
  refuseCached,
  unauthenticatedPartner,
} from "./partner-caller.ts";
export { createPartnerTokens, type PartnerTokens, type PortalToken } from "./partner-token.ts";
export { createPartner, findPartner, partnerNames, patchPartner } from "./partners.ts";
export { enterCode } from "./token-exchange.ts";
export { tokenOperation, type TokenRouteDeps } from "./token-routes.ts";
export { planView, viewFields, viewListing, viewSchema } from "./views.ts";
