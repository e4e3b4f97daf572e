/**
 * What the files of other systems call fields and values, by record type. The console's build does
 * not include it.
 */

import { account } from "./companies.ts";
import { contact, lead } from "./people.ts";
import { deal, invoice, order } from "./sales.ts";
import { task } from "./tasks.ts";

export type { ImportNames } from "./names.ts";
export const IMPORT_NAMES = { lead, contact, account, deal, invoice, order, task };
