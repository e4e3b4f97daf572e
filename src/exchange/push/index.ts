/** What partners send: lookups, pushes, and the portal's operations. */

export { PUSH_SCHEMAS, pushOf, pushShapes } from "./push-bodies.ts";
export { partnerOperations } from "./partner-routes.ts";
<<<<<<< HEAD
export { pushLead, preparePush } from "./push.ts";
=======
export { pushLead, type RefuseErased, seekPerson } from "./push.ts";
>>>>>>> 1b061e4b (privacy: Report and erase a person)
export { PORTAL_SCHEMAS, portalOperations, renewOperation } from "./portal-routes.ts";
