/** The user pages, and the signed-in user's profile. */

export { peopleRoutes } from "./routes.ts";
