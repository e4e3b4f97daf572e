/** Strings for the partner pages, loaded with them. */

import { partners } from "./en/partners.ts";
import { lookupTable } from "./lookup-table.ts";

export const partnerTexts: typeof partners = lookupTable(partners);
