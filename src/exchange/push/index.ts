/** What partners send: lookups, pushes, and the portal's operations. */

export { PUSH_SCHEMAS, pushOf, pushShapes } from "./push-bodies.ts";
export { partnerOperations } from "./partner-routes.ts";
export { pushLead, preparePush } from "./push.ts";
export { PORTAL_SCHEMAS, portalOperations, renewOperation } from "./portal-routes.ts";
