/** Strings for the portal. The console does not load them. */

import { portal } from "./en/portal/portal.ts";
import { portalFile } from "./en/portal/portal-file.ts";

export const portalTexts: typeof portal = portal;
export const portalFileTexts: typeof portalFile = portalFile;
