/** Signing in: password, link, second factor. */

export { signInRoutes } from "./routes.ts";
export { proofOf } from "./proof.ts";
