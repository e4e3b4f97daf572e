/** Strings for the first visit, loaded with its pages. */

import { firstVisit } from "./en/first-visit.ts";
import { lookupTable } from "./lookup-table.ts";

export const firstVisitTexts: typeof firstVisit = lookupTable(firstVisit);
