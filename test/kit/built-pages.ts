/**
 * The folder where global-setup.ts builds the pages. This file imports nothing, because the kit
 * starts a database.
 */

import { join } from "node:path";

export const BUILT_PAGES = join(import.meta.dirname, "../../console/dist");
