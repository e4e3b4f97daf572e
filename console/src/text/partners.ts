/** The texts of the partners' pages, which are loaded with them. */

import { partners } from "./en/partners.ts";

export const partnerTexts: typeof partners = partners;
