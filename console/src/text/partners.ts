/** Strings for the partner pages, loaded with them. */

import { partners } from "./en/partners.ts";

export const partnerTexts: typeof partners = partners;
