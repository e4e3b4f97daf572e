/** The texts of the first visit. They are loaded with its pages only. */

import { firstVisit } from "./en/first-visit.ts";

export const firstVisitTexts: typeof firstVisit = firstVisit;
