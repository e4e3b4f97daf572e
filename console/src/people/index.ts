/** Users, and the profile of the signed-in user. */

export { peopleRoutes } from "./routes.ts";
