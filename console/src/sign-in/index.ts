/** Signing in: password, one-time link, two-factor authentication. */

export { signInRoutes } from "./routes.ts";
export { proofOf } from "./proof.ts";
