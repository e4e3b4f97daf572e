/** What partners send: lookups, pushes, and the operations of the portal. */

export { PUSH_SCHEMAS, pushOf, pushShapes } from "./push-bodies.ts";
export { partnerOperations } from "./partner-routes.ts";
export { pushLead, seekPerson } from "./push.ts";
export { PORTAL_SCHEMAS, portalOperations, renewOperation } from "./portal-routes.ts";
