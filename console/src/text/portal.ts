/** Strings for the portal, which the console does not load. */

import { portal } from "./en/portal/portal.ts";
import { portalFile } from "./en/portal/portal-file.ts";

export const portalTexts: typeof portal = portal;
export const portalFileTexts: typeof portalFile = portalFile;
