/** Strings for the command palette, loaded with it. */

import { palette } from "./en/records/palette.ts";

export const paletteTexts: typeof palette = palette;
