/** The duplicate check in the portal. */

export { LookUpForm } from "./look-up-form.tsx";
