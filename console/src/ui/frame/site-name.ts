/** What the header and the titles of windows name: the product, or in the portal the business. */

import { createContext } from "react";
import { t } from "../../text/index.ts";

export const SiteName = createContext(t.shell.product);
