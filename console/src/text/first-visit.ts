/** Strings for the first visit, loaded with its pages. */

import { firstVisit } from "./en/first-visit.ts";

export const firstVisitTexts: typeof firstVisit = firstVisit;
