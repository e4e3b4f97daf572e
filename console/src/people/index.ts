/** Users, and the own profile. */

export { peopleRoutes } from "./routes.ts";
