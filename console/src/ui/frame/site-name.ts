/** The name in the header and window titles: the product, or the business in the portal. */

import { createContext } from "react";
import { t } from "../../text/index.ts";

export const SiteName = createContext(t.shell.product);
