/** Strings for the command palette, loaded with it. */

import { palette } from "./en/records/palette.ts";
import { lookupTable } from "./lookup-table.ts";

export const paletteTexts: typeof palette = lookupTable(palette);
