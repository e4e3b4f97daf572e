/** Strings for the privacy page, loaded with it. */

import { privacy } from "./en/settings/privacy.ts";

export const privacyTexts: typeof privacy = privacy;
