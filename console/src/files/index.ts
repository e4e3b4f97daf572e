/** The pages of imports: choose a file, check it, follow it. */

export { fileRoutes } from "./routes.ts";
