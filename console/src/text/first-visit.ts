/** The texts of the first visit, which nobody loads later. */

import { firstVisit } from "./en/first-visit.ts";

export const firstVisitTexts: typeof firstVisit = firstVisit;
