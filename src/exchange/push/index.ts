/** Operations for partners: lookups, pushes, and the portal. */

export { PUSH_SCHEMAS, pushOf, pushShapes } from "./push-bodies.ts";
export { partnerOperations } from "./partner-routes.ts";
export { preparePush, pushLead, type IsBlockedSql } from "./push.ts";
export { PORTAL_SCHEMAS, portalOperations, renewOperation } from "./portal-routes.ts";
