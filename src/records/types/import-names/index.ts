/**
 * The names of fields and values in files from other systems, by record type. The console's build
 * does not include them.
 */

import { account } from "./companies.ts";
import { contact, lead } from "./people.ts";
import { deal, invoice, order } from "./sales.ts";
import { task } from "./tasks.ts";

export type { ImportNames } from "./names.ts";
export const IMPORT_NAMES = { lead, contact, account, deal, invoice, order, task };
