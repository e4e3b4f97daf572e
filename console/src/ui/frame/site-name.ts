/** The name in the header and in window titles: the product or, in the portal, the business. */

import { createContext } from "react";
import { t } from "../../text/index.ts";

export const SiteName = createContext(t.shell.product);
