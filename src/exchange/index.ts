/** The partner lead exchange (D8): partners push leads, a tenant reviews them and lets them in. */

export { expireSome } from "./expiry.ts";
export { createPartnerAdmission, type PartnerCaller } from "./partner-caller.ts";
