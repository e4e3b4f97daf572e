/** Strings for the portal. The console does not load them. */

import { portal } from "./en/portal/portal.ts";
import { portalFile } from "./en/portal/portal-file.ts";
import { lookupTable } from "./lookup-table.ts";

export const portalTexts: typeof portal = lookupTable(portal);
export const portalFileTexts: typeof portalFile = lookupTable(portalFile);
