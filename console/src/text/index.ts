/**
 * Every text of the pages, in the language of the person. A further language is a file beside `en/` of
 * the same shape, and a choice here.
 */

import { en, type Texts } from "./en/index.ts";

export const t: Texts = en;

/** The language in which numbers, money and times are written. */
export const locale: string = navigator.language;
