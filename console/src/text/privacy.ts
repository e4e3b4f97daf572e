/** Strings for the privacy page, loaded with it. */

import { privacy } from "./en/settings/privacy.ts";
import { lookupTable } from "./lookup-table.ts";

export const privacyTexts: typeof privacy = lookupTable(privacy);
