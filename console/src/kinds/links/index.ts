/** The kinds of ids that refer to something else. */

import type { Kind } from "../kind/index.ts";
import { partner } from "./partner.tsx";
import { pushed_lead } from "./pushed-lead.tsx";
import { reference } from "./reference.tsx";
import { subject } from "./subject.tsx";
import { user } from "./user.tsx";

export const LINKS: Readonly<Record<string, Kind>> = {
  partner,
  pushed_lead,
  reference,
  subject,
  user,
};
