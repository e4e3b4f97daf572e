/** Submitting one lead in the portal. */

export { earlierPushOf } from "./earlier-push.ts";
export { preferencesOf } from "./preferences.ts";
