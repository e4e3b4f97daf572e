/** The texts of the command palette, which are loaded with it. */

import { palette } from "./en/records/palette.ts";

export const paletteTexts: typeof palette = palette;
