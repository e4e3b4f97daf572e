/** The import pages: choose a file, check it, and follow its import. */

export { fileRoutes } from "./routes.ts";
