/** The texts of the command palette, which are loaded with it. */

import { palette } from "./en/palette.ts";

export const paletteTexts: typeof palette = palette;
