/** Where global-setup.ts builds the pages. A file that imports nothing: the kit starts a database. */

import { join } from "node:path";

export const BUILT_PAGES = join(import.meta.dirname, "../../console/dist");
