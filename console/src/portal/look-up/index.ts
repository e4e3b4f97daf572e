/** Looking up a person in the portal. */

export { LookUpForm } from "./look-up-form.tsx";
