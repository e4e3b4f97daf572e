/** The status of a partner lead. */

import type { PushedLead } from "@leadport/client";
import { portalTexts } from "../../text/portal.ts";
import { StatusBadge } from "../../ui/lists/index.ts";

export const PushedStatus = ({ status }: { readonly status: PushedLead["status"] }) => (
  <StatusBadge value={status} label={portalTexts.statuses[status]} />
);
