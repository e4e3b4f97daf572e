/** The texts of the privacy page, which are loaded with it. */

import { privacy } from "./en/settings/privacy.ts";

export const privacyTexts: typeof privacy = privacy;
