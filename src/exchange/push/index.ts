/** Operations for partners: lookups, pushes, and the portal. */

export { pushOf, pushSchemas, pushShapes } from "./push-bodies.ts";
export { partnerOperations } from "./partner-routes.ts";
export type { IsBlockedSql } from "./facts.ts";
export { preparePush, pushLead } from "./push.ts";
export { PORTAL_SCHEMAS, portalOperations, renewOperation } from "./portal-routes.ts";
