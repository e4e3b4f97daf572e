/**
 * The folder in which global-setup.ts builds the pages. This module must not import the test kit, because importing
 * the kit starts a database.
 */

import { join } from "node:path";

export const BUILT_PAGES = join(import.meta.dirname, "../../console/dist");
