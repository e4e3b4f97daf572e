/** The import pages: choose a file, check it, follow the import. */

export { fileRoutes } from "./routes.ts";
