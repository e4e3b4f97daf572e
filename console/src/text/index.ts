/**
 * All strings on the pages, in the user's language. To add a language, create a folder next to
 * `en/` with the same structure and select it here.
 */

import { en, type Texts } from "./en/index.ts";
import { lookupTable } from "./lookup-table.ts";

export { lookupTable };

export const t: Texts = lookupTable(en);

/** The locale for formatting numbers, money and times. */
export const locale: string = navigator.language;
